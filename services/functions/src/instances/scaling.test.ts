import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { cpus } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { openSite, type TestNode, type TestResponse, type TestSite } from './testing/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await openSite()
})
afterEach(() => site.closeNodes())
afterAll(() => site.close())

/** Returns the process id and its maximum of concurrent requests. */
const counting = `const id = Math.random().toString(36); let now = 0, max = 0
  exports.main = async (req, res) => { now++; max = Math.max(max, now)
    await new Promise((r) => setTimeout(r, Number(req.query.ms ?? 0))); now--; res.json({ id, max }) }`

/** Keeps a request in flight until its body ends. */
const echo = 'exports.main = (req, res) => req.pipe(res)'
/** Occupies an instance of an echo function; returns how to end the request. */
async function occupy(node: TestNode, revision: Revision): Promise<() => Promise<void>> {
  const outgoing = node.open(revision, '/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
  outgoing.write('hello')
  const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
  return async () => {
    outgoing.end()
    expect([reply.statusCode, await text(reply)]).toEqual([200, 'hello'])
  }
}

const leases = async ({ id }: Revision) =>
  (
    await site.database.one<{ count: number }>(sql`
    select count(*)::int as count from functions.instances where revision = ${id} and expires_at > clock_timestamp()`)
  ).count

/** Samples a number until stopped; returns its maximum. */
function maximumOf(sample: () => number | Promise<number>) {
  let max = 0
  let isDone = false
  const sampling = (async () => {
    while (!isDone) {
      max = Math.max(max, await sample())
      await delay(10)
    }
  })()
  return async () => {
    isDone = true
    await sampling
    return max
  }
}

/** Calls a revision continuously from `count` clients; `stop` returns the answers. */
function calling(node: TestNode, revision: () => Revision, path: string, count: number) {
  let isDone = false
  const answers: string[] = []
  const callers = Array.from({ length: count }, async () => {
    while (!isDone) {
      const { status, body } = await node.ask(revision(), path)
      answers.push(status === 200 ? body : `${status} ${body}`)
    }
  })
  const ended = Promise.allSettled(callers) // a failing test does not await them
  return {
    answers,
    async stop(): Promise<string[]> {
      isDone = true
      for (const { status } of await ended) expect(status).toBe('fulfilled')
      expect(answers.length).toBeGreaterThanOrEqual(count)
      return answers
    },
  }
}
const refusals = (answers: readonly string[]) => answers.filter((answer) => /^\d{3} /.test(answer))

test('autoscaling respects concurrency and the maximum of instances', async () => {
  const node = await site.node()
  const revision = site.revision(counting, { concurrency: 2, maxInstances: 2 })
  const answers = await Promise.all(Array.from({ length: 12 }, () => node.ask(revision, '/?ms=150')))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  const results = answers.map(({ body }) => JSON.parse(body) as { id: string; max: number })
  expect(Math.max(...results.map(({ max }) => max))).toBe(2)
  expect(new Set(results.map(({ id }) => id)).size).toBe(2)
  expect(await leases(revision)).toBe(2)
})

test('requests beyond the queue limit, or in the queue for too long, are refused with the reason', async () => {
  const node = await site.node({ limits: { maxWaiting: 2, turnMs: 600_000 } })
  const revision = site.revision(echo, { maxInstances: 1 })
  const end = await occupy(node, revision)
  const answers: TestResponse[] = []
  const calls = Array.from({ length: 8 }, async () => answers.push(await node.ask(revision)))
  await expect.poll(() => answers.length).toBe(6)
  for (const { status, headers, body } of answers) {
    expect([status, headers['retry-after']]).toEqual([429, '1'])
    expect(body).toContain('More than 2 requests already wait for this function')
  }
  await end()
  await Promise.all(calls)
  expect(answers.slice(6).map(({ status }) => status)).toEqual([200, 200])
  const hasty = await site.node({ limits: { waitMs: 300 } })
  const late = await hasty.ask(revision) // the other node has the only instance
  expect(late).toMatchObject({
    status: 429,
    body: expect.stringContaining('All 1 instances that this function may have'),
  })
})

test('two nodes together never exceed the maximum, and one yields to the other', async () => {
  const limits = { turnMs: 100 }
  const nodes = [await site.node({ limits }), await site.node({ limits })] as [TestNode, TestNode]
  const revision = site.revision(counting, { maxInstances: 2 })
  const stop = maximumOf(async () => {
    const running = nodes[0].instances.running(revision.id) + nodes[1].instances.running(revision.id)
    return Math.max(running, await leases(revision))
  })
  await Promise.all([nodes[0].ask(revision, '/?ms=200'), nodes[0].ask(revision, '/?ms=200')])
  expect(nodes[0].instances.running(revision.id)).toBe(2)
  const answers = await Promise.all(
    nodes.flatMap((node) => Array.from({ length: 6 }, () => node.ask(revision, '/?ms=200'))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(nodes[1].instances.running(revision.id)).toBeGreaterThan(0)
  expect(await stop()).toBe(2)
})

test('scales to zero after the idle time, by the clock, and back', async () => {
  const node = await site.node()
  const revision = site.revision(counting)
  const first = await node.ask(revision)
  site.clock.advance(14 * 60_000)
  await delay(250) // some ticks
  expect(node.instances.running(revision.id)).toBe(1)
  site.clock.advance(2 * 60_000)
  await expect.poll(() => node.instances.running(revision.id)).toBe(0)
  await expect.poll(() => leases(revision)).toBe(0)
  const second = await node.ask(revision)
  expect(second.status).toBe(200)
  expect(JSON.parse(second.body).id).not.toBe(JSON.parse(first.body).id)
})

test('the minimum of instances is kept across nodes, restored after a loss, and ends with the revision', async () => {
  const nodes = [await site.node({ limits: { graceMs: 100 } }), await site.node({ limits: { graceMs: 100 } })]
  const [first, second] = nodes as [TestNode, TestNode]
  const revision = site.revision(`${counting}; exports.end = () => process.exit(1)`, { minInstances: 1 })
  await first.ask(revision)
  await second.ask(revision)
  const running = () => first.instances.running(revision.id) + second.instances.running(revision.id)
  expect(running()).toBe(2)
  site.clock.advance(20 * 60_000)
  await expect.poll(running).toBe(1)
  await delay(250)
  expect(running()).toBe(1)
  const [last] = [first, second].filter(({ instances }) => instances.running(revision.id) === 1)
  await site.database.run(sql`delete from functions.instances where revision = ${revision.id}`) // its lease is lost
  await expect.poll(() => last?.log(revision)).toContain('could not renew its lease')
  await expect.poll(running).toBe(1)
  await first.instances.retire(revision)
  await expect.poll(async () => running() + (await leases(revision))).toBe(0)
})

test('a node that was paused for longer than its lease period keeps its own leases', async () => {
  const node = await site.node({ intervals: { renewMs: 1_000 } })
  const revision = site.revision(echo)
  const end = await occupy(node, revision)
  await site.database.run(sql`update functions.instances set expires_at = now() - interval '1 second'`)
  expect((await node.ask(revision)).status, 'another instance').toBe(200)
  await expect.poll(() => leases(revision)).toBe(2)
  await end()
})

test('a new revision takes over under load without a failed request', async () => {
  const node = await site.node({ limits: { graceMs: 300 } })
  const [before, after] = [1, 2].map((n) =>
    site.revision(`exports.main = (req, res) => setTimeout(() => res.send('${n}'), 20)`, { concurrency: 8 }),
  ) as [Revision, Revision]
  await node.instances.warm(before)
  let current = before
  const { answers, stop } = calling(node, () => current, '/', 4)
  await expect.poll(() => answers.length).toBeGreaterThan(20)
  await node.instances.warm(after)
  current = after
  await node.instances.retire(before)
  await expect.poll(() => node.instances.running(before.id)).toBe(0)
  const count = answers.length
  await expect.poll(() => answers.length).toBeGreaterThan(count + 20)
  expect(new Set(await stop())).toEqual(new Set(['1', '2']))
  expect((await node.ask(before)).body, 'a late request is served').toBe('1')
})

test('an overloaded function with all the memory of its tenant leaves room for another one', async () => {
  const node = await site.node({ memoryBytes: 1_024 * 2 ** 20 })
  const more = { memoryBytes: 256 * 2 ** 20 }
  const [greedy, next] = [1, 2].map(() => site.revision(counting, more)) as [Revision, Revision]
  const { stop } = calling(node, () => greedy, '/?ms=100', 12)
  await expect.poll(() => node.instances.running(greedy.id)).toBe(3)
  await node.instances.warm(next)
  expect(node.instances.running(next.id)).toBe(1)
  expect(refusals(await stop())).toEqual([])
})

test('a tenant with many functions evicts busy instances only of tenants with more', async () => {
  const node = await site.node({ memoryBytes: 1_024 * 2 ** 20, limits: { waitMs: 5_000 } })
  const more = { memoryBytes: 256 * 2 ** 20 }
  const busy = site.revision(counting, more)
  const many = [1, 2, 3].map(() => site.revision(counting, { ...more, tenant: 'other' }))
  const calls = [calling(node, () => busy, '/?ms=100', 8)]
  await expect.poll(() => node.instances.running(busy.id)).toBe(3)
  const [first, second, third] = many as [Revision, Revision, Revision]
  for (const revision of [first, second]) {
    await node.instances.warm(revision)
    const call = calling(node, () => revision, '/?ms=100', 6)
    calls.push(call)
    await expect.poll(() => call.answers.length).toBeGreaterThan(0) // it is no longer idle
  }
  await expect(node.instances.warm(third)).rejects.toThrow(/memory of this node/)
  expect(node.instances.running(busy.id)).toBe(2)
  for (const { stop } of calls) expect(refusals(await stop())).toEqual([])
})

test('a first instance gets the memory of instances that are still starting once they run', async () => {
  const node = await site.node({ memoryBytes: 1_024 * 2 ** 20, limits: { waitMs: 100_000 } })
  const more = { memoryBytes: 256 * 2 ** 20 }
  const slow = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500); ${counting}`
  const busy = site.revision(slow, { ...more, maxInstances: 3 })
  const [first, second] = [1, 2].map(() => site.revision(counting, { ...more, tenant: 'other' })) as [
    Revision,
    Revision,
  ]
  const calls = [calling(node, () => busy, '/?ms=200', 10)]
  await expect.poll(() => leases(busy)).toBe(3)
  await node.instances.warm(first)
  calls.push(calling(node, () => first, '/?ms=200', 10))
  await node.instances.warm(second)
  expect(node.instances.running(second.id)).toBe(1)
  for (const { stop } of calls) expect(refusals(await stop())).toEqual([])
})

test('an instance that is no longer needed is not started', async () => {
  const node = await site.node()
  const count = 16 + 4 * cpus().length // more than twice as many as start concurrently
  const revision = site.revision(counting, { maxInstances: count, memoryBytes: 128 * 2 ** 20 })
  const answers = await Promise.all(Array.from({ length: count }, () => node.ask(revision)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  // Starting instances have leases.
  const starting = async () => (await leases(revision)) - node.instances.running(revision.id)
  await expect.poll(starting).toBe(0)
  expect(node.instances.running(revision.id)).toBeLessThan(count)
})

test('instances stay warm until another function needs their memory; then the idlest is evicted', async () => {
  const node = await site.node({ memoryBytes: 800 * 2 ** 20, limits: { waitMs: 2_000 } })
  const more = { memoryBytes: 256 * 2 ** 20 }
  const [first, second, third] = [1, 2, 3].map(() => site.revision(echo, more)) as [Revision, Revision, Revision]
  const [other, large] = [
    site.revision(counting, { ...more, tenant: 'other' }),
    site.revision(counting, { memoryBytes: 2 ** 30 }),
  ]
  await node.ask(first)
  await node.ask(second)
  await node.ask(third) // one tenant may use 600 MiB
  const warm = () => [first, second, third, other].map(({ id }) => node.instances.running(id))
  expect(warm()).toEqual([0, 1, 1, 0])
  await node.ask(other)
  expect(warm()).toEqual([0, 1, 1, 1])
  const ends = await Promise.all([second, third].map((revision) => occupy(node, revision)))
  const refused = await node.ask(first)
  expect(refused).toMatchObject({ status: 503, body: expect.stringContaining('that one tenant may have') })
  expect(await node.ask(large)).toMatchObject({
    status: 503,
    body: expect.stringContaining('no room for instances of 1024 MiB'),
  })
  for (const end of ends) await end()
})
