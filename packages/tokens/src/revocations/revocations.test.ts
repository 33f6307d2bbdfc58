import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey, revokeCredential, sql } from '@icosa/kernel'
import { acceptedForMs, elapse } from '@icosa/testing'
import type { JWTPayload } from 'jose'
import { expect, test } from 'vitest'
import { issue } from '../testing/issue.ts'
import { startTokenApp, type TestTokens } from '../testing/node.ts'
import { readChanges } from '../verify/store.ts'
import { revocationList } from './list.ts'
import { pruneRevocations, revoke } from './store.ts'

const hourMs = 3_600_000

/** How long a node still accepts a token in its cache. */
const acceptedMs = (tokens: TestTokens, token: string): Promise<number> =>
  acceptedForMs(async () => {
    await sleep(1)
    return Boolean(await tokens.verify(token))
  })

test.each(['jti', 'sub', 'client_id', 'grant_id', 'sid'])(
  'a token revoked by its %s is refused by every node',
  async (claim) => {
    await using app = await startTokenApp()
    const [near, far] = [app.node(), app.node()]
    const times: number[] = []
    for (let round = 0; round < 3; round++) {
      const name = randomUUID()
      const token = await issue(app, { client_id: 'client', grant_id: 'grant', [claim]: name })
      const other = await issue(app, { sub: 'person_bob', client_id: 'client', grant_id: 'grant' })
      for (const tokens of [near, far]) expect(await tokens.callerOf(token)).toBeDefined()
      await sleep(Math.random() * 500)
      await revoke(app.db, name)
      times.push(...(await Promise.all([near, far].map((tokens) => acceptedMs(tokens, token)))))
      expect(await far.callerOf(other), 'other tokens are still accepted').toBeDefined()
    }
    console.log(`revoked by ${claim}: accepted by both nodes for ${times.map(Math.round).sort((a, b) => a - b)} ms`)
    expect(Math.max(...times)).toBeLessThan(1_000)
  },
)

test('a person can get new tokens after a revocation; a token, a grant or a session stays revoked', async () => {
  await using app = await startTokenApp()
  const tokens = app.node()
  const calls = async (claims: JWTPayload) => tokens.callerOf(await issue(app, claims))
  for (const name of ['person_ada', 'client_1', 'grant_1', 'session_1', 'token_1']) await revoke(app.db, name)
  const secondOf = async (name: string) => {
    const query = sql`select revoked_at as "revokedAt" from icosa.revocations where subject = ${name}`
    return Math.floor((await app.db.one<{ revokedAt: Date }>(query)).revokedAt.getTime() / 1000)
  }

  const person = await secondOf('person_ada')
  expect(await calls({ iat: person - 60 })).toBeUndefined()
  expect(await calls({ iat: person }), 'of the same second: possibly older').toBeUndefined()
  expect(await calls({ iat: person + 1 })).toBeDefined()

  const client = await secondOf('client_1')
  expect(await calls({ sub: 'person_bob', iat: client, client_id: 'client_1' })).toBeUndefined()
  expect(await calls({ sub: 'person_bob', iat: client + 1, client_id: 'client_1' })).toBeDefined()

  expect(await calls({ sub: 'person_bob', iat: client + 2, grant_id: 'grant_1' })).toBeUndefined()
  expect(await calls({ sub: 'person_bob', iat: client + 2, sid: 'session_1' })).toBeUndefined()
  expect(await calls({ sub: 'person_bob', iat: client + 2, jti: 'token_1' })).toBeUndefined()
  expect(await calls({ sub: 'person_bob', iat: client + 2 })).toBeDefined()
})

test('a revocation that commits late is not missed', async () => {
  await using app = await startTokenApp()
  const tokens = app.node()
  const [early, late] = [randomUUID(), randomUUID()]
  const [earlyToken, lateToken] = [await issue(app, { jti: early }), await issue(app, { jti: late })]
  for (const token of [earlyToken, lateToken]) expect(await tokens.callerOf(token)).toBeDefined()

  await app.app.platform.database.transaction(async (open) => {
    await revoke(open, early)
    await revoke(app.db, late) // began later, committed earlier
    await acceptedMs(tokens, lateToken)
    elapse(2_000)
    expect(await tokens.callerOf(earlyToken), 'not committed yet').toBeDefined()
  })
  await acceptedMs(tokens, earlyToken)
})

test('a rolled back revocation has no effect', async () => {
  await using app = await startTokenApp()
  const tokens = app.node()
  const token = await issue(app)
  const failing = app.app.platform.database.transaction(async (db) => {
    await revoke(db, 'person_ada')
    throw new Error('changed our mind')
  })
  await expect(failing).rejects.toThrow('changed our mind')
  elapse(2_000)
  expect(await tokens.callerOf(token)).toBeDefined()
})

test('a node that cannot read revocations accepts no tokens until it can', async () => {
  await using app = await startTokenApp()
  const tokens = app.node()
  const token = await issue(app)
  expect(await tokens.callerOf(token)).toBeDefined()
  await app.db.run(sql`alter table icosa.revocations rename to revocations_elsewhere`)
  elapse(2_000)
  await expect(tokens.callerOf(token)).rejects.toThrow('icosa.revocations')
  await app.db.run(sql`alter table icosa.revocations_elsewhere rename to revocations`)
  expect(await tokens.callerOf(token)).toBeDefined()

  await tokens.disconnect()
  elapse(2_000)
  await expect(tokens.callerOf(token)).rejects.toThrow()
  await expect(tokens.callerOf(await issue(app)), 'nor a new token').rejects.toThrow()
})

test('deleting a credential revokes its tokens for good', async () => {
  await using app = await startTokenApp()
  const tokens = app.node()
  const { id } = await createKey(app.db, app.clock, { tenant: 'ada', name: 'robot', permissions: ['*'] })
  const token = await issue(app, { sub: id })
  expect(await tokens.callerOf(token)).toMatchObject({ id })
  await app.app.clock.advance(-365 * 24 * hourMs) // moving the clock back must not revive tokens
  await revokeCredential(app.db, app.clock, id)
  await acceptedMs(tokens, token)
  await expect(revokeCredential(app.db, app.clock, 'key_unknown')).rejects.toMatchObject({ kind: 'notFound' })
  expect(await app.db.many(sql`select subject from icosa.revocations`)).toEqual([{ subject: id }])
})

test('old revocations are not read and can be deleted', async () => {
  await using app = await startTokenApp()
  await revoke(app.db, 'short', 50)
  await revoke(app.db, 'long')
  await sleep(60)
  const { revocations } = await readChanges(app.db, '0', app.clock.now())
  expect(revocations.map(({ subject }) => subject)).toEqual(['long'])
  expect([await pruneRevocations(app.db), await pruneRevocations(app.db)]).toEqual([1, 0])
})

test('a node drops expired revocations', () => {
  let now = new Date('2030-01-01T00:00:00Z')
  const list = revocationList({ now: () => now })
  const revocation = (subject: string, ttlMs: number) => ({
    subject,
    revokedAt: now,
    expiresAt: new Date(now.getTime() + ttlMs),
  })
  const refuses = (name: string) => list.refuses({ issuedAtMs: 0, once: [name], lasting: [] })
  list.add([revocation('short', 1_000), revocation('long', hourMs), revocation('renewed', 1_000)])
  list.add([revocation('renewed', hourMs)])
  const names = ['short', 'long', 'renewed', 'never']
  expect(names.map(refuses)).toEqual([true, true, true, false])

  now = new Date(now.getTime() + 60_000)
  expect(names.map(refuses)).toEqual([false, true, true, false])
  expect(list.size()).toBe(3)
  list.add([])
  expect(list.size(), 'with the next changes').toBe(2)
})

test('only new revocations are read, unless the database was replaced', async () => {
  await using app = await startTokenApp()
  for (let n = 0; n < 5; n++) await revoke(app.db, `old ${n}`)
  const { seen, revocations } = await readChanges(app.db, '0', app.clock.now())
  expect(revocations).toHaveLength(5)

  // Other tests on the same server may have open transactions, which keep `seen` low.
  let [since, more] = [seen, revocations]
  for (let attempts = 0; more.length > 0 && attempts < 2_000; attempts++) {
    await sleep(20)
    ;({ seen: since, revocations: more } = await readChanges(app.db, since, app.clock.now()))
  }
  expect(more).toEqual([])
  await revoke(app.db, 'new')
  expect((await readChanges(app.db, since, app.clock.now())).revocations).toMatchObject([{ subject: 'new' }])

  const ofAnotherServer = String(BigInt(since) + 1_000_000_000n)
  expect((await readChanges(app.db, ofAnotherServer, app.clock.now())).revocations).toHaveLength(6)
})

test('new revocations are found by the index, however many there are', async () => {
  await using app = await startTokenApp()
  await app.db.run(sql`
    insert into icosa.revocations (subject, transaction)
    select 'old ' || n, (n % 100)::text::xid8 from generate_series(1, 100000) as n`)
  await app.db.run(sql`analyze icosa.revocations`)
  const { seen } = await readChanges(app.db, '0', app.clock.now())
  await app.app.platform.database.transaction(async (db) => {
    const scans = () =>
      db.one<{ whole: number; byIndex: number }>(sql`
        select seq_scan::int as whole, idx_scan::int as "byIndex" from pg_stat_xact_user_tables
        where relname = 'revocations'`)
    const before = await scans()
    const times = 10 // enough for PostgreSQL to choose a generic plan
    for (let n = 0; n < times; n++) expect((await readChanges(db, seen, app.clock.now())).revocations).toEqual([])
    expect(await scans()).toEqual({ whole: before.whole, byIndex: before.byIndex + times })
  })
})
