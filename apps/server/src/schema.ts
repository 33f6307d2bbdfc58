import { type Db, isExpanding, migrationsOf, readMigrations, type Service, sql } from '@icosa/kernel'
import { UsageError } from '@icosa/module'

/**
 * Refuses a database with migrations of a newer version, except expanding ones: this version could fail halfway, or
 * write rows that the newer one cannot read. Also refuses a database that lacks migrations.
 */
export async function refuseOtherSchema(db: Db, services: readonly Service[]): Promise<void> {
  const own = migrationsOf(services)
  const migrations = new Set((await readMigrations(own)).map(({ owner, name }) => `${owner}/${name}`))
  const owners = own.map(({ owner }) => owner)
  const rows = await db.many<{ owner: string; name: string }>(sql`
    select owner, name from icosa.migrations where owner = any(${owners}) order by applied_at, owner, name`)
  const applied = new Set(rows.map(({ owner, name }) => `${owner}/${name}`))
  const unknown = [...applied].filter((name) => !migrations.has(name) && !isExpanding(name))
  if (unknown.length > 0)
    throw new UsageError(
      `A newer version changed this database (${unknown.join(', ')}), and this one does not know how: start the newer version.`,
    )
  const lacking = [...migrations].filter((name) => !applied.has(name))
  if (lacking.length > 0)
    throw new UsageError(`The database lacks ${lacking.join(', ')}: run \`icosa migrate\` of this version first.`)
}
