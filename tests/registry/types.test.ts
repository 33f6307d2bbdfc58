import { sql } from '@icosa/kernel'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import { credentialsFor, startTestApp, testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { allServices, resourceTypes } from '../../apps/server/src/services.ts'
import { seeds } from '../seeds.ts'

test('the listed resource types are those that services register', async () => {
  const services = await allServices({ databaseUrl: testServerUrl })
  await using app = await startTestApp({ services })
  for (const service of services) await seeds[service.name]?.(await credentialsFor(app, service, 'owner'), app)
  const { database } = app.platform
  const rows = await database.many<{ type: string }>(sql`select distinct type from icosa.resources`)
  await dropPhysical(database)
  const registered = rows.map(({ type }) => type).sort()
  expect(registered, 'list them in apps/server/src/services.ts').toEqual([...resourceTypes].sort())
})
