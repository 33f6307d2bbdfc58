import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, sized } from '@icosa/testing'
import { array, assert, asyncProperty, constantFrom, record } from 'fast-check'
import { expect, test } from 'vitest'
import { claimJobs, completeJob } from '../../jobs/claim.ts'
import { openQueue } from '../../jobs/queue.ts'
import { fireDue, putTimers } from '../../jobs/timers.ts'
import { type Database, openDatabase, sql } from '../db.ts'
import { setTenantState } from './moves.ts'
import { isLeaving, Misdirected } from './states.ts'

const cells = ['a', 'b'] as const
type Cell = (typeof cells)[number]
const actors = ['mover', 'ada', 'bob', 'workerA', 'workerB', 'timersA', 'timersB'] as const
type Actor = (typeof actors)[number]

class Crash extends Error {}

/** An actor that runs from one `stop()` to the next each time it is released. */
class Thread {
  #arrived = Promise.withResolvers<void>()
  #go = Promise.withResolvers<boolean>()
  hasEnded = false
  readonly ended: Promise<void>

  constructor(work: (stop: () => Promise<void>) => Promise<void>) {
    const stop = async () => {
      this.#arrived.resolve()
      const crashes = await this.#go.promise
      if (crashes) throw new Crash()
    }
    this.ended = stop()
      .then(() => work(stop))
      .catch((error) => {
        if (!(error instanceof Crash)) throw error
      })
      .finally(() => {
        this.hasEnded = true
        this.#arrived.resolve()
      })
    this.ended.catch(() => {}) // reported where it is awaited
  }

  /** Lets it run until it stops again or, if it waits for another one, for a moment. */
  async release(crashes: boolean): Promise<void> {
    if (this.hasEnded) return
    const isStopped = await Promise.race([this.#arrived.promise.then(() => true), sleep(5, false)])
    if (!isStopped) return
    const go = this.#go
    this.#arrived = Promise.withResolvers()
    this.#go = Promise.withResolvers()
    go.resolve(crashes)
    await Promise.race([this.#arrived.promise, sleep(5)])
  }
}

/** One tenant with a job and a timer in cell a, which moves to b while it works. */
async function scenario(databases: Record<Cell, Database>, tenant: string) {
  const queue = `queue-${tenant}`
  const acknowledged: string[] = []
  const clock = { now: () => new Date() }
  const payload = (job: string) => ({ job, tenant, input: null })
  const queueOf = (cell: Cell) => openQueue({ database: databases[cell], onError: () => {} })
  await databases.a.run(
    sql`insert into icosa.jobs (queue, payload) values (${queue}, ${JSON.stringify(payload('job'))})`,
  )
  await putTimers(databases.a, queue, [{ at: new Date(0), payload: payload('timer') }])
  for (const state of ['copying', 'fenced', 'moved'] as const) await setTenantState(databases.b, tenant, state, 'a')

  const write = (cell: Cell, id: string, stop: () => Promise<void>): Promise<void> =>
    databases[cell].transaction(async (db) => {
      await stop()
      await db.run(sql`insert into public.writes (tenant, id) values (${tenant}, ${id})`)
      await stop()
    }, tenant)

  async function writer(name: string, stop: () => Promise<void>): Promise<void> {
    let cell: Cell = 'a'
    for (const id of [`${name} 1`, `${name} 2`]) {
      for (;;)
        try {
          await write(cell, id, stop)
          break
        } catch (error) {
          if (!isLeaving(error)) throw error
          if (error instanceof Misdirected) cell = error.cell as Cell
          await sleep(2)
        }
      acknowledged.push(id)
      await stop()
    }
  }

  async function worker(cell: Cell, stop: () => Promise<void>): Promise<void> {
    const demand = { queue, lane: 'default', free: 2, running: new Map<string, number>(), after: '' } as const
    for (let round = 0; round < 3; round++) {
      const [claimed] = await claimJobs(databases[cell], [demand])
      await stop()
      for (const claim of claimed?.claims ?? [])
        await databases[cell]
          .transaction(async (db) => {
            await db.run(
              sql`insert into public.writes (tenant, id) values (${tenant}, ${`finished ${claim.payload.job} in ${cell}`})`,
            )
            await stop()
            if (!(await completeJob(db, claim))) throw new Crash()
          }, tenant)
          .catch((error) => {
            if (!isLeaving(error)) throw error
          })
    }
  }

  async function timers(cell: Cell, stop: () => Promise<void>): Promise<void> {
    for (let round = 0; round < 3; round++) {
      await fireDue(databases[cell], queueOf(cell), clock)
      await stop()
    }
  }

  /** Jobs and timers, as the work that is left. */
  const workIn = (cell: Cell) =>
    databases[cell].many(sql`
      select 'job' as kind, payload from icosa.jobs where tenant = ${tenant}
      union all select 'timer', payload from icosa.timers where payload ->> 'tenant' = ${tenant} order by 1, 2`)
  let copied: unknown

  /** Replaces the rows of b by those of a, as replication that has caught up. */
  async function copy(): Promise<void> {
    const { a, b } = databases
    const writes = await a.many<{ id: string }>(sql`select id from public.writes where tenant = ${tenant}`)
    const jobs = await a.many<{ payload: object }>(sql`select payload from icosa.jobs where tenant = ${tenant}`)
    const waiting = await a.many<{ payload: object }>(
      sql`select payload from icosa.timers where payload ->> 'tenant' = ${tenant}`,
    )
    copied = await workIn('a')
    await b.transaction(async (db) => {
      await db.run(sql`delete from public.writes where tenant = ${tenant}`)
      await db.run(sql`delete from icosa.jobs where tenant = ${tenant}`)
      await db.run(sql`delete from icosa.timers where payload ->> 'tenant' = ${tenant}`)
      for (const { id } of writes) await db.run(sql`insert into public.writes values (${tenant}, ${id})`)
      for (const { payload } of jobs)
        await db.run(sql`insert into icosa.jobs (queue, payload) values (${queue}, ${JSON.stringify(payload)})`)
      for (const { payload } of waiting)
        await db.run(sql`
          insert into icosa.timers (due_at, queue, payload) values ('epoch', ${queue}, ${JSON.stringify(payload)})`)
    })
  }

  const stateOf = async (cell: Cell) => {
    const row = await databases[cell].maybe<{ state: string }>(
      sql`select state from icosa.tenant_states where id = ${tenant}`,
    )
    return row?.state ?? 'active'
  }

  /** Goes on wherever an earlier one has crashed. */
  async function mover(stop: () => Promise<void>): Promise<void> {
    if ((await stateOf('a')) === 'active') await setTenantState(databases.a, tenant, 'copying', 'b')
    await stop()
    if ((await stateOf('a')) === 'copying') await setTenantState(databases.a, tenant, 'fenced', 'b')
    await stop()
    if ((await stateOf('a')) === 'fenced') {
      await copy()
      await stop()
      await setTenantState(databases.a, tenant, 'moved', 'b')
    }
    await stop()
    if ((await stateOf('b')) === 'moved') await setTenantState(databases.b, tenant, 'active', 'b')
  }

  const start = (actor: Actor) =>
    new Thread((stop) => {
      if (actor === 'mover') return mover(stop)
      if (actor === 'ada' || actor === 'bob') return writer(actor, stop)
      if (actor === 'workerA' || actor === 'workerB') return worker(actor === 'workerA' ? 'a' : 'b', stop)
      return timers(actor === 'timersA' ? 'a' : 'b', stop)
    })

  async function rowsIn(cell: Cell): Promise<string[]> {
    const rows = await databases[cell].many<{ id: string }>(
      sql`select id from public.writes where tenant = ${tenant} order by id`,
    )
    return rows.map(({ id }) => id)
  }

  /** Ends the move and the work. Nothing can be written in cell a any more. */
  async function finish(): Promise<void> {
    const goOn = async () => {}
    await mover(goOn)
    await expect(write('a', 'late', goOn)).rejects.toThrow(Misdirected)
    expect(await workIn('a'), 'no timer fired and no job ended in the old cell after the copy').toEqual(copied)
    for (const cell of cells) {
      await databases[cell].run(sql`update icosa.jobs set is_running = false where tenant = ${tenant}`) // leases expire
      await timers(cell, goOn)
      await worker(cell, goOn)
    }
  }

  return { acknowledged, start, rowsIn, finish }
}

test('in any order of the steps of mover, writers, workers, timers and crashes, no write is lost or happens twice', async () => {
  await using stack = new AsyncDisposableStack()
  const open = async () => {
    const { url } = stack.use(await createTestDatabase([]))
    const database = openDatabase({ url, maxConnections: 12, onError: () => {} })
    stack.defer(() => database.close())
    await database.script('create table public.writes (tenant text, id text, primary key (tenant, id))')
    return database
  }
  const databases = { a: await open(), b: await open() }
  let runs = 0
  const step = record({ actor: constantFrom(...actors), crashes: constantFrom(...Array(9).fill(false), true) })

  await assert(
    asyncProperty(array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const { acknowledged, start, rowsIn, finish } = await scenario(databases, `tenant-${runs++}`)
      const threads = new Map(actors.map((actor) => [actor, start(actor)]))
      for (const { actor, crashes } of steps) {
        const thread = threads.get(actor) as Thread
        await thread.release(crashes)
        if (!thread.hasEnded || actor === 'ada' || actor === 'bob') continue
        await thread.ended
        threads.set(actor, start(actor))
      }
      const all = [...threads.values()]
      while (!all.every(({ hasEnded }) => hasEnded)) for (const thread of all) await thread.release(false)
      await Promise.all(all.map(({ ended }) => ended))
      await finish()

      const [old, rows] = [await rowsIn('a'), await rowsIn('b')]
      expect(rows).toEqual(expect.arrayContaining(acknowledged))
      expect(rows, 'nothing was written in the old cell after the copy').toEqual(expect.arrayContaining(old))
      for (const job of ['job', 'timer'])
        expect(
          rows.filter((id) => id.startsWith(`finished ${job}`)),
          'exactly once',
        ).toHaveLength(1)
    }),
    { numRuns: sized(20, 1_000) },
  )
})
