import { randomUUID } from 'node:crypto'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { testService } from '../testing/app.ts'
import { takePort } from './placement-store.ts'

test('concurrent allocations get distinct ports until none is left', async () => {
  await using app = await startTestApp(testService())
  const { database } = app.platform
  const range = { firstPort: 20_001, lastPort: 20_030 }
  const take = () => database.transaction((db) => takePort(db, randomUUID(), undefined, range))
  const ports = await Promise.all(Array.from({ length: 30 }, take))
  expect(ports.toSorted()).toEqual(Array.from({ length: 30 }, (_, nth) => range.firstPort + nth))
  await expect(take()).rejects.toMatchObject({ code: 'NoPort', message: expect.stringContaining('are in use') })
})
