import { randomBytes } from 'node:crypto'
import type { Database, Service } from '@icosa/kernel'
import { startTestApp, type TestApp, testServerUrl } from '@icosa/testing'
import { installation } from '../databases/store.ts'
import { openSqlHost, type Session } from '../host/host.ts'
import { removeAll } from '../host/removal.ts'
import { namesFrom } from '../host/store.ts'
import { defaultSettings, type SqlSettings, sqlDatabases } from '../index.ts'

/** Uses the tests' PostgreSQL as the SQL host. */
export const testSettings = (settings: Partial<SqlSettings> = {}): SqlSettings => ({
  ...defaultSettings,
  adminUrl: testServerUrl,
  sharedHost: true,
  ...settings,
})

export const testService = (settings: Partial<SqlSettings> = {}): Service => sqlDatabases(testSettings(settings))

/** Runs work as the administrator of the tests' SQL host. */
export const onTestHost = <T>(work: (admin: Session) => Promise<T>): Promise<T> => testHost().alone([], work)

const testHost = openSqlHost(testSettings())

/** Names of an installation's databases and roles on the tests' SQL host. */
export async function physicalNames(database: Database): Promise<string[]> {
  const { prefix } = await installation(database)
  return onTestHost((admin) => namesFrom(admin, prefix))
}

/** Drops all databases and roles of an installation. */
export async function dropPhysical(database: Database): Promise<void> {
  for (const name of await physicalNames(database)) await onTestHost((admin) => removeAll(testHost(), admin, name))
}

/** An app whose databases are dropped when it is disposed of. */
export async function startSqlApp(settings: Partial<SqlSettings> = {}): Promise<TestApp> {
  const app = await startTestApp(testService(settings))
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await dropPhysical(app.platform.database)
      await app[Symbol.asyncDispose]()
    },
  }
}

/** Advances the clock by a minute, in which supervision runs. */
export async function minutePasses(app: TestApp): Promise<void> {
  await app.clock.advance(60_000)
  await app.jobs.drain()
}

export interface Administrator extends AsyncDisposable {
  readonly role: string
  readonly url: string
}

/** Creates another administrator of the SQL host, with no more rights than the README requires. */
export async function anotherAdministrator(...privileges: readonly string[]): Promise<Administrator> {
  const role = `icosa_sql_admin_${randomBytes(4).toString('hex')}`
  const database = new URL(testServerUrl).pathname.slice(1)
  await onTestHost(async (admin) => {
    await admin.query(`create role ${role} login createdb createrole password 'admin'`)
    await admin.query(`grant ${role} to current_user`)
    await admin.query(`grant connect on database "${database}" to ${role}`)
    for (const privilege of privileges) await admin.query(`grant ${privilege} to ${role}`)
  })
  return {
    role,
    url: Object.assign(new URL(testServerUrl), { username: role, password: 'admin' }).href,
    [Symbol.asyncDispose]: () =>
      onTestHost(async (admin) => {
        await admin.query(`drop owned by ${role}`)
        await admin.query(`drop role ${role}`)
      }),
  }
}

/** Closes the platform's database, as its owner would for an administrator without the right. */
export async function closePlatform({ platform }: TestApp): Promise<void> {
  const { name } = await installation(platform.database)
  await onTestHost((admin) => admin.query(`revoke connect on database "${name}" from public`))
}
