import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Failure } from '@icosa/kernel'
import { createMetrics } from '@icosa/telemetry'
import { afterEach, describe, expect, test } from 'vitest'
import { openPool, type Pool, type PoolOptions, WorkerLost } from './index.ts'
import type { Task } from './testing/module.ts'

// biome-ignore lint/suspicious/noExplicitAny: tasks have different results
type TestPool = Pool<Task, any>

const module = new URL('./testing/module.ts', import.meta.url)
const pools: TestPool[] = []
function open(options: Partial<PoolOptions> = {}): TestPool {
  const pool: TestPool = openPool({ name: 'test', module, ...options })
  pools.push(pool)
  return pool
}
afterEach(async () => void (await Promise.all(pools.splice(0).map((pool) => pool.close()))))

const lost = (why: string) => expect.objectContaining({ why, kind: 'unavailable' })

describe.each(['threads', 'processes'] as const)('%s', { timeout: 60_000 }, (as) => {
  test('return what the module returns, and throw what it throws', async () => {
    const pool = open({ as })
    expect(await pool.run('ada', { echo: { deep: [1, new Date(0), new Map([[1, 2]])] } })).toEqual({
      deep: [1, new Date(0), new Map([[1, 2]])],
    })
    await expect(pool.run('ada', { fail: 'no such thing' })).rejects.toThrow('no such thing')
    const failure = await pool.run('ada', { fail: 'too big', kind: 'tooLarge' }).catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure).toMatchObject({ kind: 'tooLarge', message: 'too big' })
    expect((await pool.run('ada', { bytes: 1_000_000 })).byteLength).toBe(1_000_000)
  })

  test('are warm before the first call on request, and are warmed once', async () => {
    const pool = open({ as, size: 2, warmAtStart: 2 })
    await pool.warm()
    expect(pool.load()).toMatchObject({ size: 2, warm: 2, running: 0 })
    const now = performance.timeOrigin + performance.now()
    expect((await pool.run('ada', { remember: 1 })).warmedAt).toBeLessThan(now)
    expect(open({ as }).load().warm).toBe(0)
  })

  test('get the argument of the pool before they are warm', async () => {
    expect(await open({ as, argument: 'models at /here' }).run('ada', { remember: 1 })).toMatchObject({
      argument: 'models at /here',
    })
    expect(await open({ as }).run('ada', { remember: 1 })).toMatchObject({ argument: '' })
  })

  test('are killed with a call that exceeds its deadline, and replaced', async () => {
    const pool = open({ as })
    await pool.run('ada', { remember: 1 })
    const task: Task = as === 'processes' ? { hang: true } : { spinMs: 3_600_000 }
    const failure = await pool.run('ada', task, { deadlineMs: 200 }).catch((error) => error)
    expect(failure).toBeInstanceOf(WorkerLost)
    expect(failure).toMatchObject({ why: 'deadline', message: 'test exceeded its time limit of 0.2 s.' })
    expect((await pool.run('ada', { remember: 1 })).sum).toBe(1) // a new one without state
  })

  test('stop within a second of an abort, whatever they do', async () => {
    const pool = open({ as })
    await pool.warm()
    const abort = new AbortController()
    const call = pool.run('ada', { spinMs: 3_600_000 }, { signal: abort.signal, deadlineMs: 3_600_000 })
    const queued = pool.run('ada', { echo: 1 }, { signal: abort.signal })
    const next = pool.run('ada', { echo: 2 })
    expect(pool.load()).toMatchObject({ running: 1, waiting: 2 })
    const reason = new Error('cancelled')
    abort.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect(queued).rejects.toBe(reason)
    expect(await next).toBe(2)
    await expect(pool.run('ada', { echo: 1 }, { signal: abort.signal })).rejects.toBe(reason)
  })

  test('fail only their own call when they crash', async () => {
    const pool = open({ as, size: 2 })
    await pool.warm()
    const beside = pool.run('bob', { spinMs: 300 })
    await expect(pool.run('ada', { exit: 3 })).rejects.toEqual(lost('crash'))
    await expect(beside).resolves.toMatchObject({ sum: 0 })
    expect(await pool.run('ada', { echo: 1 })).toBe(1)
  })

  test('cannot exceed their memory limit', async () => {
    const pool = open({ as, memoryMb: 128, deadlineMs: 3_600_000 })
    const { why } = await pool.run('ada', { hog: true }).catch((error) => error)
    expect(as === 'threads' ? ['memory'] : ['memory', 'crash']).toContain(why) // V8 may end its process first
    expect(await pool.run('ada', { echo: 1 })).toBe(1)
  })

  test('are shared in turns: no tenant waits for all calls of another', async () => {
    const pool = open({ as })
    await pool.warm()
    const order: string[] = [] // of starting: which of two workers ends first is up to the machine
    const call = (tenant: string) =>
      pool.hold(tenant, async (ask) => {
        order.push(tenant)
        await ask({ echo: 0 })
      })
    await Promise.all([...Array.from({ length: 20 }, () => call('flood')), call('other')])
    expect(order.indexOf('other')).toBeLessThan(4)
  })

  test('are never all occupied by one tenant, even at the minimum size', async () => {
    const pool = open({ as, size: 1 })
    const bombs = [1, 2, 3].map(() => pool.run('flood', { spinMs: 3_600_000 }, { deadlineMs: 3_600_000 }))
    const ended = Promise.allSettled(bombs)
    expect(await pool.run('other', { echo: 1 })).toBe(1)
    expect(pool.load()).toMatchObject({ size: 2, running: 1, waiting: 2 })
    await pool.close()
    await ended
  })

  test('are selected again by calls with the same affinity', async () => {
    const pool = open({ as, size: 2 })
    const sum = (affinity: number) => pool.hold('ada', async (ask) => (await ask({ remember: 1 })).sum, { affinity })
    expect(await sum(4)).toBe(1)
    expect(await sum(7)).toBe(1)
    expect(await sum(6)).toBe(2)
  })

  test('refuse calls beyond the queue limit, and calls that wait too long', async () => {
    const pool = open({ as, maxWaiting: 4, waitMs: 200 })
    const calls = Array.from({ length: 8 }, () => pool.run('ada', { spinMs: 1_500 }))
    const results = await Promise.allSettled(calls)
    const kinds = results.map((result) => (result.status === 'rejected' ? result.reason.kind : 'done'))
    expect(kinds[0]).toBe('done')
    expect(new Set(kinds)).toEqual(new Set(['done', 'rateLimited', 'unavailable']))
  })

  test('can be reserved for several calls', async () => {
    const pool = open({ as })
    const sum = await pool.hold('ada', async (ask) => {
      await ask({ remember: 2 })
      return (await ask({ remember: 3 })).sum
    })
    expect(sum).toBe(5)
  })

  test('end with the pool, whatever they do, and fail their calls', async () => {
    const pool = open({ as, size: 2 })
    await pool.warm()
    const calls = ['ada', 'bob', 'cid'].map((tenant) => pool.run(tenant, { spinMs: 3_600_000 }))
    const results = Promise.allSettled(calls)
    await pool.close()
    for (const { status, ...rest } of await results)
      expect({ status, ...rest }).toEqual({ status: 'rejected', reason: lost('closed') })
    await expect(pool.run('ada', { echo: 1 })).rejects.toEqual(lost('closed'))
  })

  test('report to every caller why they cannot be warmed', async () => {
    const pool = open({ as, module: new URL('./testing/broken.ts', import.meta.url), warmAtStart: 1 })
    await expect(pool.run('ada', { echo: 1 })).rejects.toThrow('the model is missing')
    await expect(pool.run('ada', { echo: 1 })).rejects.toThrow('the model is missing')
  })

  test('do not block the event loop while they warm up and work', async () => {
    const pool = open({ as })
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await pool.run('ada', { spinMs: 1_000 })
    delay.disable()
    expect(delay.percentile(50) / 1e6).toBeLessThan(500) // on the event loop itself it would be a full second
  })

  test('an input that cannot be sent fails its call and nothing else', async () => {
    const pool = open({ as })
    await pool.run('ada', { remember: 1 })
    await expect(pool.run('ada', { echo: () => {} })).rejects.toThrow(/could not be cloned/)
    expect((await pool.run('ada', { remember: 1 })).sum).toBe(2)
  })
})

test('a process that crashes in native code fails only its call', async () => {
  const pool = open({ as: 'processes' })
  await expect(pool.run('ada', { signal: 'SIGSEGV' })).rejects.toThrow(/ended unexpectedly \(SIGSEGV\)/)
  expect(await pool.run('ada', { echo: 1 })).toBe(1)
})

test('a missing module fails every call', async () => {
  const pool = open({ module: new URL('./testing/none.ts', import.meta.url) })
  await expect(pool.run('ada', { echo: 1 })).rejects.toEqual(lost('crash'))
})

test('memory is transferred to threads, and back', async () => {
  const pool = open()
  const bytes = new Uint8Array(1_000_000)
  await pool.run('ada', { echo: bytes }, { transfer: [bytes.buffer] })
  expect(bytes.byteLength).toBe(0)
})

test('exports the load of a pool as metrics', async () => {
  const metrics = createMetrics()
  const pool = open({ name: 'feed parsing', metrics })
  const call = pool.run('ada', { echo: 1 })
  expect(metrics.text()).toContain('icosa_pool_feed_parsing_running 1')
  expect(metrics.text()).toContain('icosa_pool_feed_parsing_waiting 0')
  await call
})

/** Zombies do not count. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

// Uses /proc, which only Linux has.
test.skipIf(process.platform !== 'linux')(
  'a killed node leaves no process behind, not even a blocked one',
  async () => {
    const node = fork(new URL('./testing/node.ts', import.meta.url))
    const [pid] = (await once(node, 'message')) as [number]
    expect(isRunning(pid)).toBe(true)
    node.kill('SIGKILL')
    await once(node, 'exit')
    await expect.poll(() => isRunning(pid)).toBe(false)
  },
)
