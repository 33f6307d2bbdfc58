import { example, startTestApp } from '@icosa/testing'
import { expect, test, vi } from 'vitest'
import { sql } from '../db/db.ts'
import type { Service } from '../service.ts'
import { type Job, job, type Payload } from './jobs.ts'
import { sendJobs } from './keys.ts'
import { asHandler } from './testing/as-handler.ts'

const withJobs = (...jobs: Job<never>[]): Service => ({ ...example, jobs })

/** A job that records its inputs. */
function noting() {
  const ran: string[] = []
  return { ran, note: job<string>('note', { run: async (text) => void ran.push(text) }) }
}

test('of jobs with one key only the first waits; other keys, tenants and jobs are independent', async () => {
  const { ran, note } = noting()
  const other = job<string>('other', { run: async (text) => void ran.push(text) })
  await using app = await startTestApp(withJobs(note, other))
  const created = await asHandler(app, async (jobs) => [
    await jobs.enqueue(note, 'first', { key: 'a' }),
    await jobs.enqueue(note, 'second', { key: 'a' }),
    await jobs.enqueue(note, 'another key', { key: 'b' }),
    await jobs.enqueue(note, 'another tenant', { key: 'a', tenant: 'bob' }),
    await jobs.enqueue(other, 'another job', { key: 'a' }),
    await jobs.enqueue(note, 'no key'),
    await jobs.enqueueAll(
      note,
      ['third', 'new', 'twice'].map((input) => ({ input, key: input === 'third' ? 'a' : 'c' })),
    ),
  ])
  expect(created).toEqual([true, false, true, true, true, true, 1])
  expect(await asHandler(app, (jobs) => jobs.enqueue(note, 'third', { key: 'a' })), 'also after the commit').toBe(false)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['another job', 'another key', 'another tenant', 'first', 'new', 'no key'].sort())
})

test('jobs without a key, and retries, are never dropped', async () => {
  await using app = await startTestApp(withJobs())
  const { database } = app.platform
  const payload = { job: 'note', tenant: 'ada', input: null }
  const retry = { ...payload, key: 'a', failures: 1 }
  const send = (...payloads: Payload[]) => database.transaction((db) => sendJobs(db, 'example', payloads))
  expect(await send(payload, payload)).toBe(2)
  expect(await send(retry, retry)).toBe(2)
  expect(await send(payload, { ...payload, key: 'a' }, retry, { ...payload, key: 'a' })).toBe(3)
  expect(await send(retry, { ...payload, key: 'a' })).toBe(1)
})

test('keyed jobs are inserted in the order of their keys, so that concurrent senders cannot deadlock', async () => {
  await using app = await startTestApp(withJobs())
  const { database } = app.platform
  const payloads = [...'cabdb'].map((key) => ({ job: 'note', tenant: 'ada', input: null, key }))
  expect(await database.transaction((db) => sendJobs(db, 'example', payloads))).toBe(4)
  const rows = await database.many<{ key: string }>(sql`select payload ->> 'key' as key from icosa.jobs order by id`)
  expect(rows.map(({ key }) => key).join('')).toBe('abcd')
})

test('while a job runs, only one more with its key may wait', async () => {
  const ran: string[] = []
  const created: boolean[] = []
  const chain: Job<string> = job<string>('chain', {
    async run(text, { transaction }) {
      ran.push(text)
      if (text !== 'first') return
      for (const next of ['second', 'third'])
        created.push(await transaction((_, jobs) => jobs.enqueue(chain, next, { key: 'a' })))
    },
  })
  await using app = await startTestApp(withJobs(chain))
  await asHandler(app, (jobs) => jobs.enqueue(chain, 'first', { key: 'a' }))
  await app.jobs.drain()
  expect(created).toEqual([true, false])
  expect(ran).toEqual(['first', 'second'])
})

test('concurrent transactions enqueue one job, and none if they are rolled back', async () => {
  const { ran, note } = noting()
  await using app = await startTestApp(withJobs(note))
  const rolledBack = asHandler(app, async (jobs) => {
    await jobs.enqueue(note, 'never', { key: 'a' })
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  const each = Array.from({ length: 20 }, (_, index) =>
    asHandler(app, (jobs) => jobs.enqueue(note, String(index), { key: 'a' })),
  )
  expect((await Promise.all(each)).filter(Boolean)).toHaveLength(1)
  await app.jobs.drain()
  expect(ran).toHaveLength(1)
})

test('a job sees the writes of all transactions that it stands for, even if claimed before they commit', async () => {
  const seen: unknown[] = []
  const count = job<null>('count', {
    run: async (_, { db }) => void seen.push(await db.one(sql`select count(*)::int as rows from icosa.tenants`)),
  })
  await using app = await startTestApp(withJobs(count))
  const { database } = app.platform
  await asHandler(app, (jobs) => jobs.enqueue(count, null, { key: 'a' }))
  let draining: Promise<void> | undefined
  await asHandler(app, async (jobs, db) => {
    await db.run(sql`insert into icosa.tenants values ('row', now())`)
    expect(await jobs.enqueue(count, null, { key: 'a' })).toBe(false)
    draining = app.jobs.drain()
    const isActive = sql`select 1 from icosa.jobs where is_running`
    await vi.waitFor(async () => expect(await database.many(isActive)).toHaveLength(1), 20_000)
  })
  await draining
  expect(seen).toEqual([{ rows: 1 }])
})

test('a retry after a crash or an error does not replace a waiting job with its key', async () => {
  const ran: string[] = []
  let failures = 1
  const flaky = job<string>('flaky', {
    async run(text) {
      ran.push(text)
      if (text === 'errs' && failures-- > 0) throw new Error('not yet')
    },
  })
  await using app = await startTestApp(withJobs(flaky))
  const { database, queue } = app.platform
  const enqueue = (text: string) => asHandler(app, (jobs) => jobs.enqueue(flaky, text, { key: 'a' }))
  const crash = sql`
    update icosa.jobs set is_running = true, attempt = 1, renewed_at = now() - interval '1 minute'`

  await enqueue('crashed')
  await database.run(crash)
  expect(await enqueue('waits')).toBe(true)
  await queue.sweep()
  expect(await enqueue('one too many')).toBe(false)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['crashed', 'waits'])

  await enqueue('errs')
  await app.jobs.drain()
  expect(await enqueue('waits'), 'the retry is not due yet').toBe(true)
  await app.clock.advance(60_000)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['crashed', 'errs', 'errs', 'waits', 'waits'])
})

test('several jobs with one key can fail after losing their workers', async () => {
  const failed: string[] = []
  const doomed = job<string>('doomed', { run: async () => {}, failed: async (text) => void failed.push(text) })
  await using app = await startTestApp(withJobs(doomed))
  const { database, queue } = app.platform
  for (const text of ['first', 'second']) {
    await asHandler(app, (jobs) => jobs.enqueue(doomed, text, { key: 'a' }))
    await database.run(sql`
      update icosa.jobs set is_running = true, attempt = 10, renewed_at = now() - interval '1 minute'`)
  }
  await queue.sweep()
  await app.jobs.drain()
  expect(failed.sort()).toEqual(['first', 'second'])
})

test('of timers with one key only one waits, with the earliest time', async () => {
  const { ran, note } = noting()
  await using app = await startTestApp(withJobs(note))
  const now = app.platform.clock.now().getTime()
  const at = (minutes: number) => new Date(now + minutes * 60_000)
  const created = await asHandler(app, async (jobs) => [
    await jobs.enqueue(note, 'first', { key: 'a', at: at(30) }),
    await jobs.enqueue(note, 'later', { key: 'a', at: at(60) }),
    await jobs.enqueueAll(
      note,
      [20, 10].map((minutes) => ({ input: 'earlier', key: 'a', at: at(minutes) })),
    ),
    await jobs.enqueue(note, 'bob', { key: 'a', at: at(10), tenant: 'bob' }),
  ])
  expect(created).toEqual([true, false, 0, true])
  await app.clock.advance(11 * 60_000)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['bob', 'first'])
  await app.clock.advance(60 * 60_000)
  await app.jobs.drain()
  expect(ran).toHaveLength(2)
})

test('cancelled jobs are removed, whether due or not, only if the transaction commits', async () => {
  const { ran, note } = noting()
  await using app = await startTestApp(withJobs(note))
  const at = new Date(app.platform.clock.now().getTime() + 60_000)
  await asHandler(app, async (jobs) => {
    await jobs.enqueue(note, 'in line', { key: 'a' })
    await jobs.enqueue(note, 'for its time', { key: 'a', at })
    await jobs.enqueue(note, 'another', { key: 'b' })
    await jobs.enqueue(note, 'of bob', { key: 'a', tenant: 'bob' })
  })
  const rolledBack = asHandler(app, async (jobs) => {
    expect(await jobs.cancel(note, 'b')).toBe(true)
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await asHandler(app, (jobs) => jobs.cancel(note, 'a'))).toBe(true)
  expect(await asHandler(app, (jobs) => jobs.cancel(note, 'a')), 'a second time').toBe(false)
  await app.clock.advance(120_000)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['another', 'of bob'])
  expect(await asHandler(app, (jobs) => jobs.enqueue(note, 'anew', { key: 'a' })), 'the key is free').toBe(true)
})
