import { credentialsFor, startTestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blockers, moveTenant } from '../../apps/server/src/moves/move.ts'
import { shareDataKeys, startTestServer, type TestServer } from '../../apps/server/src/moves/testing/cells.ts'
import { leftovers } from '../../apps/server/src/moves/testing/writers.ts'
import { seeds } from '../seeds.ts'
import { services } from './filled.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(services)
})
afterAll(() => server[Symbol.asyncDispose]())

/** What they have outside the database does not move, and their people and models take long. */
const left = [
  'backup',
  'sql-databases',
  'sql-virtual-machines',
  'hardware-security-modules',
  'face-recognition',
  'identity-connect',
]

test('a tenant of many services moves with everything it has, which is equal there, and works on', async () => {
  await using world = await server.cells('ada')
  const { source, target } = world.cells
  await using app = await startTestApp({ services: [...services], databaseUrl: source.databaseUrl })
  await shareDataKeys(world)
  await using other = await startTestApp({ services: [...services], databaseUrl: target.databaseUrl })
  for (const service of services.filter(({ name }) => !left.includes(name)))
    await seeds[service.name]?.(await credentialsFor(app, service, 'ada'), app)
  const key = await app.key('ada')
  const notes = async (at: string) => (await fetch(`${at}/example/notes`, { headers: { 'x-api-key': key } })).status
  expect(await notes(app.url)).toBe(200)

  expect(await blockers(world.cells, 'ada')).toEqual([])
  const move = await moveTenant({ ...world, tenant: 'ada' })
  console.log(move.detail)
  expect(move).toMatchObject({ state: 'reversible', isEqual: true })
  expect(await notes(other.url)).toBe(200)
  await expect.poll(() => notes(app.url)).toBe(421)
  await moveTenant({ ...world, tenant: 'ada' }, 'finish')
  expect(await leftovers(world)).toEqual([])
  expect(await notes(other.url)).toBe(200)
})
