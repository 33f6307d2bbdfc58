import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type DatabaseProxy, startProxy } from '@icosa/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase, sql } from '../db.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { type DatabaseLimits, databaseLimits } from './limits.ts'
import { DatabaseUnavailable, isAbsence, isOutage, ofDatabase } from './unavailable.ts'

interface Node extends AsyncDisposable {
  readonly database: Database
  readonly proxy: DatabaseProxy
}

/** A database behind a proxy that can simulate outages. */
async function opened(limits: Partial<DatabaseLimits> = {}, maxConnections = 4): Promise<Node> {
  const stack = new AsyncDisposableStack()
  const testDatabase = stack.use(await createTestDatabase([]))
  const proxy = stack.use(await startProxy(testDatabase.url))
  const database = openDatabase({ url: proxy.url, maxConnections, limits, onError: () => {} })
  stack.defer(() => database.close())
  return { database, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const one = (database: Database) => database.one(sql`select 1 as one`)
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => (error instanceof DatabaseUnavailable ? 'unavailable' : error.message),
  )

test('a node probes an unavailable server at growing intervals, however many statements and listeners wait', async () => {
  await using node = await opened({ minPauseMs: 200, maxPauseMs: 400 })
  const { database, proxy } = node
  const heard: (string | undefined)[] = []
  await database.listen({ news: (payload) => heard.push(payload) })
  await Promise.all(Array.from({ length: 20 }, () => one(database)))

  const before = proxy.attempts.length
  const awaySince = performance.now()
  proxy.become('refusing')
  const attempts = () => proxy.attempts.length - before
  let refused = 0
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      do {
        expect(await failureOf(one(database))).toMatch(/unavailable|Connection terminated|ECONNRESET/)
        refused++
        await sleep(5)
      } while (attempts() < 4)
    }),
  )
  expect(refused).toBeGreaterThanOrEqual(50)
  // A slow machine makes attempts later, never earlier.
  const [, second = 0, third = 0, fourth = 0] = proxy.attempts.slice(before).map((at) => at - awaySince)
  expect(second, 'the first at once').toBeGreaterThanOrEqual(200)
  expect(third, 'twice the pause').toBeGreaterThanOrEqual(600)
  expect(fourth, 'no longer one').toBeGreaterThanOrEqual(1_000)

  proxy.become('through')
  const backAt = performance.now()
  await vi.waitFor(() => one(database), { timeout: 20_000, interval: 20 })
  const backMs = performance.now() - backAt
  await vi.waitFor(() => expect(heard, 'woken once, since it may have missed notifications').toEqual([undefined]), {
    timeout: 20_000,
  })
  await database.run(sql`select pg_notify('news', 'hello')`)
  await vi.waitFor(() => expect(heard).toEqual([undefined, 'hello']), { timeout: 10_000 })
  console.log(`${refused} statements refused, ${attempts()} attempts; back after ${Math.round(backMs)} ms`)
})

test('a broken connection fails only its own statement', async () => {
  await using node = await opened()
  const { database } = node
  const broken = failureOf(database.transaction((db) => db.run(sql`select pg_terminate_backend(pg_backend_pid())`)))
  const others = await Promise.all(Array.from({ length: 20 }, () => failureOf(one(database))))
  expect(await broken).toBeDefined()
  expect(others.filter((failure) => failure !== undefined)).toEqual([])
})

test('statements sent to a silent server are given up, and the next one succeeds', async () => {
  const warnings: string[] = []
  const warn = ({ name }: Error) => warnings.push(name)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  // A probe takes longer than the pause after it.
  await using node = await opened({ probeMs: 500, minPauseMs: 100, silenceMs: 1_000, waitMs: 500 }, 2)
  const { database, proxy } = node
  await Promise.all([one(database), one(database)])
  proxy.become('silent')
  // Two have a connection but no reply; the third has none. All fail in time.
  const failures = await Promise.all([1, 2, 3].map(() => failureOf(one(database))))
  expect(failures).toHaveLength(3)
  expect(failures).not.toContain(undefined)
  expect(await database.isReachable()).toBe(false)

  proxy.become('through') // as after a failover: existing connections stay dead
  await vi.waitFor(() => one(database), { timeout: 20_000, interval: 50 })
  await expect.poll(() => database.isReachable()).toBe(true)
  expect(warnings).not.toContain('TimeoutNegativeWarning')
})

test('a lost statement is given up, and a slow one is not', async () => {
  await using node = await opened({ silenceMs: 300, probeMs: 20_000 }, 1)
  const { database, proxy } = node
  await one(database)
  proxy.become('silent')
  proxy.become('through') // existing connections stay dead, unnoticed by a probe
  expect(await failureOf(one(database))).toBeDefined()
  expect(await failureOf(database.run(sql`select pg_sleep(1)`))).toBeUndefined()
})

test('the number of waiting statements and their waiting time are limited', async () => {
  await using node = await opened({ maxWaiting: 3, waitMs: 500 }, 1)
  const { database } = node
  const acquired = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = database.transaction(() => {
    acquired.resolve()
    return release.promise
  })
  await acquired.promise
  const first = Array.from({ length: 3 }, () => failureOf(one(database)))
  expect(await failureOf(one(database)), 'the fourth is refused at once').toBe('unavailable')
  expect(database.load().waiting).toBe(3)
  expect(await Promise.all(first)).toEqual(['unavailable', 'unavailable', 'unavailable'])

  release.resolve()
  await holding
  expect(await one(database)).toEqual({ one: 1 })
  expect(database.load()).toEqual({ open: 1, waiting: 0 })
})

test('a database can be closed at any time: connecting, listening, waiting, during a statement', async () => {
  for (const mode of ['refusing', 'silent', 'through'] as const) {
    await using testDatabase = await createTestDatabase([])
    await using proxy = await startProxy(testDatabase.url)
    const database = openDatabase({ url: proxy.url, maxConnections: 1, limits: { closeMs: 300 }, onError: () => {} })
    await database.listen({ news: () => {} })
    await one(database)
    proxy.become(mode)
    const working = failureOf(database.run(sql`select pg_sleep(60)`))
    const waiting = failureOf(one(database))
    const began = performance.now()
    await database.close()
    expect(performance.now() - began, mode).toBeLessThan(10_000)
    expect(await working, mode).toBeDefined()
    expect(await waiting, mode).toBeDefined()
  }
  await using silent = await startProxy('postgres://nobody@127.0.0.1:9/nothing')
  silent.become('silent')
  const database = openDatabase({ url: silent.url, maxConnections: 1, limits: { closeMs: 300 }, onError: () => {} })
  const listening = failureOf(database.listen({ news: () => {} }))
  await vi.waitFor(() => expect(silent.attempts).toHaveLength(1))
  await database.close()
  expect(await listening).toBeDefined()
})

test('closing a listener is not an error and causes no probe', async () => {
  await using testDatabase = await createTestDatabase([])
  await using proxy = await startProxy(testDatabase.url)
  const errors: Error[] = []
  const database = openDatabase({ url: proxy.url, maxConnections: 1, onError: (error) => errors.push(error) })
  const listener = await database.listen({ news: () => {} })
  await one(database)
  const attempts = proxy.attempts.length
  listener.close()
  await one(database) // by now the end of the listener's connection was noticed
  await database.close()
  expect(errors).toEqual([])
  expect(proxy.attempts).toHaveLength(attempts)
})

test('of several hosts, the one that answers is used, and after its loss another one', async () => {
  await using testDatabase = await createTestDatabase([])
  await using one = await startProxy(testDatabase.url)
  await using two = await startProxy(testDatabase.url)
  one.become('refusing')
  const { host } = new URL(two.url)
  const url = one.url.replace(/(@[^/]*)/, `$1,${host}`)
  const limits = { minPauseMs: 50, maxPauseMs: 100 }
  const database = openDatabase({ url, maxConnections: 4, limits, onError: () => {} })
  const select = () => database.one(sql`select 1 as one`)
  await vi.waitFor(select, { timeout: 20_000 })
  await Promise.all(Array.from({ length: 20 }, select))

  two.become('refusing')
  one.become('through')
  await vi.waitFor(select, { timeout: 20_000 })
  await Promise.all(Array.from({ length: 20 }, select))
  await expect.poll(() => database.isReachable()).toBe(true)
  await database.close()
})

test('pauses between probes double up to a limit, with jitter', () => {
  const limits = { ...databaseLimits, minPauseMs: 100, maxPauseMs: 350 }
  const breaker = circuitBreaker({ url: 'postgres://nobody@127.0.0.1:9/nothing', limits, onError: () => {} })
  for (const [failures, pauseMs] of [100, 200, 350, 350].entries()) {
    const pauses = Array.from({ length: 200 }, () => breaker.backOffMs(failures))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(pauseMs)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1.25 * pauseMs)
    expect(Math.max(...pauses)).toBeGreaterThan(1.05 * pauseMs)
  }
  breaker.shutDown()
})

test('an outage is told from the errors of a statement, whatever wraps it', () => {
  const own = ofDatabase(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  const error = (code: string, message = '') => Object.assign(new Error(message), { code })
  for (const absent of [
    error('08006'),
    error('57P01'),
    error('53300'),
    error('ETIMEDOUT'),
    new Error('Connection terminated unexpectedly'),
    new Error('Query read timeout'),
  ])
    expect([isAbsence(absent), isOutage(ofDatabase(absent))], absent.message).toEqual([true, true])
  for (const present of [
    error('23505'),
    error('108'),
    error('X57P'),
    new Error('no Connection terminated'),
    new Error(),
  ])
    expect([isAbsence(present), isOutage(ofDatabase(present))], present.message).toEqual([false, false])
  expect(isOutage(new Error('it failed', { cause: new Error('for a reason', { cause: own }) }))).toBe(true)
  expect(isOutage(error('ECONNREFUSED')), 'of another server').toBe(false)
  expect(isOutage(error('ENOSPC')), 'the disk of this node is full').toBe(true)
  expect(isOutage(error('53100')), "the disk may be that of a tenant's server").toBe(false)
  expect([isOutage('refused'), isOutage(undefined), isOutage(new DatabaseUnavailable('no'))]).toEqual([
    false,
    false,
    true,
  ])
})
