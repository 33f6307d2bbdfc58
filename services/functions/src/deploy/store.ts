import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Desired } from '../functions/desired.ts'
import type { Place } from '../functions/store.ts'

/** A built artifact with its configuration. */
export interface RevisionRow extends Place {
  readonly id: string
  readonly number: number
  /** SHA-256 of the built artifact, and of the zip that it was built from. */
  readonly artifact: string
  readonly source: string
  readonly desired: Desired
}

const columns = sql`id, project, location, function, number, artifact, source, desired`

export function find(db: ReadingDb, tenant: string, id: string): Promise<RevisionRow | undefined> {
  return db.point(sql`select ${columns} from functions.revisions where tenant = ${tenant} and id = ${id}`)
}

export async function insert(db: Db, tenant: string, row: RevisionRow, now: Date): Promise<void> {
  const { id, project, location, function: name, number, artifact, source, desired } = row
  await db.run(sql`
    insert into functions.revisions (tenant, id, project, location, function, number, artifact, source, desired, created_at)
    values (${tenant}, ${id}, ${project}, ${location}, ${name}, ${number}, ${artifact}, ${source},
      ${JSON.stringify(desired)}, ${now})`)
}

const ofFunction = (tenant: string, place: Place) => sql`
  tenant = ${tenant} and project = ${place.project} and location = ${place.location} and function = ${place.function}`

/** Revisions of a function, newest first. */
export function list(
  db: ReadingDb,
  tenant: string,
  place: Place,
  limit = maxKept + 1,
): Promise<(RevisionRow & { readonly createdAt: Date })[]> {
  return db.many(sql`
    select ${columns}, created_at as "createdAt" from functions.revisions where ${ofFunction(tenant, place)}
    order by number desc limit ${limit}`)
}

/** Number of revisions that are kept, besides the serving one. */
const maxKept = 10

/** Removes the oldest revisions, but not the serving one. */
export async function removeOld(db: Db, tenant: string, place: Place, serving: string | null): Promise<void> {
  await db.run(sql`
    delete from functions.revisions where ${ofFunction(tenant, place)} and id is distinct from ${serving}
      and number <= (select number from functions.revisions where ${ofFunction(tenant, place)}
        order by number desc offset ${maxKept} limit 1)`)
}

export async function removeAll(db: Db, tenant: string, place: Place): Promise<void> {
  await db.run(sql`delete from functions.revisions where ${ofFunction(tenant, place)}`)
}

export async function isDeploying(db: ReadingDb, tenant: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from functions.functions where tenant = ${tenant} and state = 'DEPLOYING' limit 1`)
  return row !== undefined
}

export function hashesOf(db: ReadingDb, tenant: string): Promise<Pick<RevisionRow, 'artifact' | 'source'>[]> {
  return db.many(sql`select distinct artifact, source from functions.revisions where tenant = ${tenant}`)
}

/** Serving revisions with a minimum instance count that have no instance. */
export function cold(db: ReadingDb): Promise<(RevisionRow & { readonly tenant: string })[]> {
  return db.many(sql`
    select tenant, ${columns} from functions.revisions as r
    where (desired #>> '{serviceConfig,minInstanceCount}')::int > 0
      and not exists (select from functions.instances as i where i.tenant = r.tenant and i.revision = r.id)
      and exists (select from functions.functions as f where f.tenant = r.tenant and f.subscription_key = r.project
        and f.location = r.location and f.name_key = r.function and f.revision = r.id)
    order by tenant, id limit 100`)
}
