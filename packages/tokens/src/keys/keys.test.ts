import { sql } from '@icosa/kernel'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { listSigningKeys, signingKeySet, signingKeyVersion } from './key-set.ts'
import { ensureSigningKeys, pruneSigningKeys, rotateSigningKeys, rotateWhenDue } from './rotation.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

async function start() {
  const app = await startTestApp(example)
  const { database, clock, cellVault } = app.platform
  await app.clock.move({ frozen: true })
  return {
    ...app,
    database,
    clock,
    cellVault,
    advance: app.clock.advance,
    ensure: () => ensureSigningKeys(database, clock, cellVault),
    rotate: (options = {}) => rotateSigningKeys(database, clock, cellVault, options),
    prune: () => pruneSigningKeys(database, clock),
    /** Such as `1 signing, 2 next`, the generations in the order of the key set. */
    async states() {
      const keys = await listSigningKeys(database, clock)
      return [...new Set(keys.map(({ generation, state }) => `${generation} ${state}`))].join(', ')
    },
    set: () => signingKeySet(database, cellVault, clock.now()),
    version: () => signingKeyVersion(database, clock.now()),
  }
}

test('new keys are published before they sign, old ones until their last token has expired', async () => {
  await using app = await start()
  await app.ensure()
  expect(await app.states()).toBe('1 signing')
  const first = await app.set()
  expect(first.keys.map(({ alg, use }) => [alg, use])).toEqual([
    ['ES256', 'sig'],
    ['RS256', 'sig'],
  ])

  await app.rotate()
  expect(await app.states()).toBe('1 signing, 2 next')
  const ahead = await app.set()
  expect(ahead.keys.slice(0, 2)).toEqual(first.keys)
  expect(ahead.keys.map(({ alg }) => alg)).toEqual(['ES256', 'RS256', 'ES256', 'RS256'])

  await app.advance(hour)
  expect(await app.states()).toBe('2 signing, 1 retiring')
  const rotated = await app.set()
  expect(rotated.keys).toEqual([...ahead.keys.slice(2), ...ahead.keys.slice(0, 2)])

  await app.advance(day - 1)
  expect(await app.states()).toBe('2 signing, 1 retiring')
  await app.advance(1)
  expect(await app.states()).toBe('2 signing, 1 withdrawn')
  const last = await app.set()
  expect(last.keys).toEqual(rotated.keys.slice(0, 2))
  expect(await app.prune()).toBe(2)
  expect(await app.prune()).toBe(0)
  expect(await app.states()).toBe('2 signing')

  const versions = [first, ahead, rotated, last].map(({ version }) => version)
  expect(new Set(versions).size, 'a version for every set and order').toBe(4)
  expect(await app.version()).toBe(last.version)
})

test('nodes that start concurrently create one generation', async () => {
  await using app = await start()
  await Promise.all(Array.from({ length: 8 }, app.ensure))
  expect(await app.database.many(sql`select generation, alg from icosa.signing_keys order by alg`)).toEqual([
    { generation: 1, alg: 'ES256' },
    { generation: 1, alg: 'RS256' },
  ])
})

test('concurrent schedules on several nodes rotate once when due', async () => {
  await using app = await start()
  const whenDue = () => rotateWhenDue(app.database, app.clock, app.cellVault, { everyMs: 30 * day })
  expect(await whenDue(), 'no keys, nothing to rotate').toBe(false)
  await app.ensure()
  await app.advance(30 * day - 1)
  expect(await whenDue()).toBe(false)
  await app.advance(1)
  expect((await Promise.all([whenDue(), whenDue(), whenDue()])).filter(Boolean)).toHaveLength(1)
  expect(await app.states()).toBe('1 signing, 2 next')
})

test('a stolen key is replaced immediately, and the next one never signs', async () => {
  await using app = await start()
  await app.ensure()
  await app.rotate()
  await app.rotate({ publishAheadMs: 0, overlapMs: 0 })
  expect(await app.states()).toBe('3 signing, 1 withdrawn, 2 withdrawn')

  await app.rotate()
  await app.advance(10 * minute)
  await app.rotate({ publishAheadMs: 0 })
  expect(await app.states()).toMatch(/^5 signing, 3 retiring, .*4 retiring/)
  await app.advance(hour)
  expect(await app.states(), 'it is due, but was replaced').toMatch(/^5 signing, 4 retiring, 3 retiring/)
})

test('there is a signing key even if the clock is moved back', async () => {
  await using app = await start()
  await app.ensure()
  await app.rotate()
  await app.advance(-365 * day)
  await app.rotate({ publishAheadMs: 0 })
  expect((await app.set()).keys[0]?.alg).toBe('ES256')
  expect(await app.states()).toMatch(/^3 signing/)
})

test('private keys are unreadable in the database', async () => {
  await using app = await start()
  await app.ensure()
  const rows = await app.database.many(
    sql`select encode(private_jwk, 'escape') as sealed, public_jwk as published from icosa.signing_keys`,
  )
  const dump = JSON.stringify(rows)
  for (const { d = 'missing', kid = 'missing' } of (await app.set()).keys) {
    expect(dump).toContain(kid)
    expect(dump).not.toContain(d)
  }
  expect(dump).not.toContain('"d"')
})
