import type { Database } from '@icosa/kernel'
import { openVault } from '@icosa/tokens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withPlatform } from '../node.ts'
import { allServices } from '../services.ts'
import { operatorOf } from '../testing/operator.ts'
import { allSealed } from '../vault.ts'
import { startTestServer, type TestServer } from './testing/cells.ts'
import { leftovers } from './testing/writers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(withPlatform(await allServices(), 'system'))
})
afterAll(() => server[Symbol.asyncDispose]())

test('an operator moves a tenant, back, and to stay', async () => {
  await using world = await server.cells('acme')
  const { source, target } = world.cells
  await using operator = await operatorOf(source.databaseUrl, { ICOSA_DIRECTORY_URL: world.directoryUrl })
  const key = (await operator.icosa('keys', 'create', '--tenant', 'acme')).split('\n')[0]
  await using there = await operatorOf(target.databaseUrl)
  await there.icosa('keys', 'create', '--tenant', 'other') // the cell has data keys of its own
  const vaultIn = async (database: Database) =>
    (await openVault(database, { masterKeys: [Buffer.alloc(32, 7)], sealed: allSealed })).of('acme')
  const sealed = (await vaultIn(source.database)).seal('secret', 'context')
  const move = (...flags: string[]) => operator.icosa('tenants', 'move', 'acme', ...flags)
  expect(await move('--to', 'b', '--dry-run')).toContain('Nothing keeps acme from moving to b')
  await expect(move()).rejects.toThrow('Add one of --to CELL')
  await expect(move('--to', 'c')).rejects.toThrow("There is no cell 'c'. There are a, b.")
  await expect(move('--to', 'a')).rejects.toThrow('lives in a already')
  await expect(move('--back')).rejects.toThrow('No move of')
  await expect(operator.icosa('tenants', 'move', 'eve', '--to', 'b')).rejects.toThrow("no tenant 'eve'")
  expect(await move('--to', 'b')).toMatch(
    /acme lives in b: \d+ tables with \d+ rows are equal, writes waited for \d+ ms/,
  )
  expect(await operator.icosa('tenants', 'moves')).toMatch(/acme +a +b +reversible/)
  expect(await move('--back')).toContain('acme lives in a again')
  expect(await move('--to', 'b')).toContain('--finish')
  expect((await vaultIn(target.database)).open(sealed, 'context')).toBe('secret')
  expect(await move('--finish')).toContain('acme lives in b, and is deleted in a')
  expect(await leftovers(world)).toEqual([])
  expect(await operator.icosa('audit', 'list')).toMatch(/operator:tenants move +200/)

  const serve = ['serve', '--services', 'podcast-directory'] as const
  const nodes = { old: await operator.start(...serve), new: await there.start(...serve) }
  const status = async (url: string) =>
    (await fetch(`${url}/podcast-directory/playlists`, { headers: { 'x-listenapi-key': key ?? '' } })).status
  expect(await status(nodes.new.url)).toBe(200)
  expect(await status(nodes.old.url), 'its keys are deleted there').toBe(421)

  await expect(operator.icosa('cells', 'drain', 'c', '--move')).rejects.toThrow("There is no cell 'c'")
  await expect(operator.icosa('cells', 'drain', 'b', '--move', '--label', 'region=eu')).rejects.toThrow(
    'acme: left, no other active cell with the labels has room',
  )
  const drained = await operator.icosa('cells', 'drain', 'b', '--move')
  expect(drained).toContain('[1/1] acme: moved to a')
  expect(drained).toContain('1 tenants have left b, 0 are left')
  await expect.poll(() => status(nodes.old.url)).toBe(200)
  await expect.poll(() => status(nodes.new.url)).toBe(421)
})
