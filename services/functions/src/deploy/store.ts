import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Desired } from '../functions/desired.ts'
import type { Place } from '../functions/store.ts'

/** What was built, as it was wanted then. */
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

/** All of a function but one, which serves. */
export async function removeOthers(db: Db, tenant: string, place: Place, but: string): Promise<void> {
  await db.run(sql`
    delete from functions.revisions where tenant = ${tenant} and project = ${place.project}
      and location = ${place.location} and function = ${place.function} and id <> ${but}`)
}

/** Whether any function of a tenant is being deployed. */
export async function isDeploying(db: ReadingDb, tenant: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from functions.functions where tenant = ${tenant} and state = 'DEPLOYING' limit 1`)
  return row !== undefined
}

/** What the revisions of a tenant are made of. */
export function hashesOf(db: ReadingDb, tenant: string): Promise<Pick<RevisionRow, 'artifact' | 'source'>[]> {
  return db.many(sql`select distinct artifact, source from functions.revisions where tenant = ${tenant}`)
}

/** Revisions that are to have instances at all times, and have none anywhere. */
export function cold(db: ReadingDb): Promise<(RevisionRow & { readonly tenant: string })[]> {
  return db.many(sql`
    select tenant, ${columns} from functions.revisions as r
    where (desired #>> '{serviceConfig,minInstanceCount}')::int > 0
      and not exists (select from functions.instances as i where i.tenant = r.tenant and i.revision = r.id)
    order by tenant, id limit 100`)
}
