import type { Database, Service } from '@icosa/kernel'
import { startTestApp, type TestApp, testServerUrl } from '@icosa/testing'
import { installation } from '../databases/store.ts'
import { openHost, type Session } from '../host/host.ts'
import { dropAll, namesFrom } from '../host/store.ts'
import { defaultSettings, type SqlSettings, sqlDatabases } from '../index.ts'

/** The service on the SQL host of the tests. */
export const testService = (settings: Partial<SqlSettings> = {}): Service =>
  sqlDatabases({ ...defaultSettings, adminUrl: testServerUrl, ...settings })

/** The administrator of the SQL host of the tests. */
export const onTestHost = <T>(work: (admin: Session) => Promise<T>): Promise<T> =>
  openHost({ ...defaultSettings, adminUrl: testServerUrl })().alone([], work)

/** Databases and roles that an installation has made on the SQL host of the tests. */
export async function physicalNames(database: Database): Promise<string[]> {
  const { prefix } = await installation(database)
  return onTestHost((admin) => namesFrom(admin, prefix))
}

/** Leaves nothing of an installation on the SQL host of the tests. */
export async function dropPhysical(database: Database): Promise<void> {
  for (const name of await physicalNames(database)) await onTestHost((admin) => dropAll(admin, name))
}

/** An app whose databases on the SQL host end with it. */
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
