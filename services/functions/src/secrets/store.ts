import { type Db, lockName, type ReadingDb, sql } from '@icosa/kernel'

export interface SecretName {
  readonly project: string
  readonly name: string
}

export interface SecretRow extends SecretName {
  readonly version: number
  readonly id: string
  readonly sealed: Uint8Array
}

/** Inserts a new version of a secret. Returns its number. */
export async function insert(
  db: Db,
  tenant: string,
  { project, name }: SecretName,
  { id, sealed, now }: { readonly id: string; readonly sealed: Uint8Array; readonly now: Date },
): Promise<number> {
  await lockName(db, `functions secret ${JSON.stringify([tenant, project, name])}`) // so that numbers are unique
  const { version } = await db.one<{ version: number }>(sql`
    insert into functions.secrets (tenant, project, name, version, id, sealed, created_at)
    select ${tenant}, ${project}, ${name}, coalesce(max(version), 0) + 1, ${id}, ${sealed}, ${now}
    from functions.secrets where tenant = ${tenant} and project = ${project} and name = ${name}
    returning version`)
  return version
}

/** Finds a version of a secret, by default the latest. */
export function find(
  db: ReadingDb,
  tenant: string,
  { project, name }: SecretName,
  version: number | undefined,
): Promise<SecretRow | undefined> {
  return db.maybe(sql`
    select project, name, version, id, sealed from functions.secrets
    where tenant = ${tenant} and project = ${project} and name = ${name}
      and (${version ?? null}::integer is null or version = ${version ?? null})
    order by version desc limit 1`)
}

export function list(db: ReadingDb, tenant: string): Promise<(SecretName & { versions: number; latest: Date })[]> {
  return db.many(sql`
    select project, name, count(*)::int as versions, max(created_at) as latest from functions.secrets
    where tenant = ${tenant} group by project, name order by project, name limit 1000`)
}
