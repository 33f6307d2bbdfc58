import { createHash, randomBytes } from 'node:crypto'
import {
  type Database,
  dropDatabase,
  lockName,
  migrationsOf,
  openDatabase,
  prepareDatabase,
  readMigrations,
  type Service,
  sql,
} from '@icosa/kernel'

/** PostgreSQL server for tests. Its role must be allowed to create databases. */
export const testServerUrl = process.env.DATABASE_URL ?? ''

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

export const urlOf = (name: string) => Object.assign(new URL(testServerUrl), { pathname: `/${name}` }).href

const open = (url: string) => openDatabase({ url, maxConnections: 2, onError: () => {} })

/** Creates a database with the schemas of these services by cloning a template, which is built once. */
export async function createTestDatabase(services: readonly Service[]): Promise<TestDatabase> {
  const name = `icosa_test_${process.pid}_${randomBytes(4).toString('hex')}`
  await using server = disposable(open(testServerUrl))
  await server.database.script(`create database "${name}" template "${await templateFor(server.database, services)}"`)
  return {
    url: urlOf(name),
    async [Symbol.asyncDispose]() {
      await using again = disposable(open(testServerUrl))
      await dropDatabase(again.database, name)
    },
  }
}

/** Builds the template under a lock, since test files run in several processes. */
async function templateFor(server: Database, services: readonly Service[]): Promise<string> {
  const name = `icosa_template_${await fingerprint(services)}`
  await server.transaction(async (lock) => {
    await lockName(lock, name)
    if (await lock.maybe(sql`select 1 from pg_database where datname = ${name}`)) return
    const building = `${name}_building`
    await dropDatabase(server, building)
    await server.script(`create database "${building}"`)
    {
      await using created = disposable(open(urlOf(building)))
      await prepareDatabase(created.database, services)
    }
    await server.script(`alter database "${building}" rename to "${name}"`)
  })
  return name
}

/** Changes with every migration, so that a template is never outdated. */
async function fingerprint(services: readonly Service[]): Promise<string> {
  const hash = createHash('sha256').update(new URL(testServerUrl).username)
  for (const { owner, name, text } of await readMigrations(migrationsOf(services)))
    hash.update(`${owner}/${name}\n${text}\n`)
  for (const { name } of services) hash.update(name)
  return hash.digest('hex').slice(0, 16)
}

function disposable(database: Database) {
  return { database, [Symbol.asyncDispose]: () => database.close() }
}
