import { Writable } from 'node:stream'
import { Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { createLog } from '@icosa/telemetry'
import { createTestDatabase, startTestApp, testNode } from '@icosa/testing'
import { expect, test, vi } from 'vitest'
import { sql } from './db/db.ts'
import { Engine, implement, ok, withPreparation } from './implement.ts'
import { job } from './jobs/jobs.ts'
import { jobsIn } from './jobs/queue.ts'
import { startNode } from './node.ts'
import { type Service, serviceWithRuntime } from './service.ts'

const { get, post } = keyed('X-Key')
const replies = { 200: Type.Array(Type.String()) }
const contract = {
  ask: get('/ask', { summary: '', replies }),
  askBefore: post('/ask-before', { summary: '', replies }),
  askEngine: get('/ask-engine', { summary: '', open: true, replies }),
}
const dialectOf = (name: string) => keyedServer({ name, headers: ['X-Key'] })

/** Records its users. */
interface Runtime {
  readonly seen: string[]
}

const signing = job<{ readonly as: string }, Runtime>('sign', {
  run: async ({ as }, { runtime }) => void runtime.seen.push(as),
})

/** A service whose parts all record themselves in its runtime, and the list of runtimes. */
function guestBook(): { readonly service: Service; readonly opened: Runtime[] } {
  const opened: Runtime[] = []
  const service = serviceWithRuntime<Runtime>({
    name: 'guests',
    title: 'Guests',
    moves: 'withRows',
    apis: [
      {
        dialect: dialectOf('guests'),
        resources: {
          book: implement<typeof contract, Runtime>(contract, {
            async ask(_, { runtime }) {
              runtime.seen.push('handler')
              return ok(runtime.seen)
            },
            askBefore: withPreparation(
              async (_, { runtime }) => runtime.seen.push('before'),
              async (_, { runtime, jobs }) => {
                runtime.seen.push('inside')
                await jobs.enqueue(signing, { as: 'job' })
                return ok(runtime.seen)
              },
            ),
            askEngine: new Engine(async ({ runtime, response }) => {
              runtime.seen.push('engine')
              response.end(JSON.stringify(runtime.seen))
            }),
          }),
        },
      },
    ],
    start() {
      const runtime = { seen: [] }
      opened.push(runtime)
      return runtime
    },
    observe:
      (_, { seen }) =>
      () =>
        void seen.push('observer'),
    routes: (host) => async (app) => {
      app.get('/guests-page', async (request, reply) => {
        host.runtime.seen.push('route')
        return reply.send(host.exchangeOf(request, reply.raw).runtime.seen)
      })
    },
    jobs: [signing],
  })
  return { service, opened }
}

test('a node has one runtime per service, shared by handlers, engines, jobs, routes and observers', async () => {
  const { service, opened } = guestBook()
  await using app = await startTestApp(service)
  await using other = await startTestApp({ services: [service], databaseUrl: app.databaseUrl })
  const headers = { 'x-key': await app.key('ada') }
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(app.url + path, { method, headers })
    expect(answer.status).toBe(200)
    return answer.json()
  }
  await ask('/guests/ask')
  await ask('/guests/ask-before', 'POST')
  await app.jobs.drain()
  await ask('/guests/ask-engine')
  const all = ['handler', 'observer', 'before', 'inside', 'observer', 'job', 'engine', 'route']
  expect(await ask('/guests-page')).toEqual(all)
  expect(opened).toEqual([{ seen: all }, { seen: [] }])
  expect(other.url).not.toBe(app.url)
})

/** A service that records when it is opened and closed. */
function diarist(name: string, diary: string[], more: Partial<Service> = {}): Service {
  return {
    name,
    title: name,
    moves: 'withRows',
    apis: [{ dialect: dialectOf(name), resources: {} }],
    start(_, onStop) {
      diary.push(`open ${name}`)
      onStop(() => diary.push(`close ${name}`))
    },
    ...more,
  }
}

/** The errors logged by a node. */
function errorLog() {
  const lines: string[] = []
  const destination = new Writable({
    write(line, _, done) {
      lines.push(String(line))
      done()
    },
  })
  return { log: createLog({ level: 'error', destination }), lines }
}

test('services close in reverse order, after the last job and before the database, despite errors', async () => {
  const diary: string[] = []
  const { log, lines } = errorLog()
  const slow = job<object>('slow', {
    async run(_, { db }) {
      diary.push('job begins')
      await db.one(sql`select pg_sleep(0.3)`)
      diary.push('job ends')
    },
  })
  const flushing = diarist('flushing', diary, {
    start({ database }, onStop) {
      onStop(() => diary.push('close its first'))
      onStop(async () => diary.push(`wrote ${(await database.one<{ n: number }>(sql`select 1 as n`)).n}`))
    },
  })
  const broken = diarist('broken', diary, {
    start(_, onStop) {
      onStop(async () => Promise.reject(new Error('the disk is full')))
      onStop(() => {
        throw new Error('the fan is loud')
      })
    },
  })
  const services = [diarist('first', diary, { jobs: [slow] }), flushing, broken, diarist('last', diary)]
  const app = await startTestApp({ services, log, worker: { concurrency: 1 } })
  expect(diary).toEqual(['open first', 'open last'])
  const { database, queue } = app.platform
  await database.transaction((db) => jobsIn(queue, db, 'first', 'ada').enqueue(slow, {}))
  queue.wake(['first'])
  await vi.waitFor(() => expect(diary).toContain('job begins'), { timeout: 20_000 })
  await app[Symbol.asyncDispose]()
  expect(diary.slice(2)).toEqual(['job begins', 'job ends', 'close last', 'wrote 1', 'close its first', 'close first'])
  expect(lines.filter((line) => line.includes('could not close'))).toEqual([
    expect.stringMatching(/the fan is loud.*"service":"broken"/),
    expect.stringMatching(/the disk is full.*"service":"broken"/),
  ])
})

test('a failing service start fails the node start and closes everything opened before', async () => {
  const diary: string[] = []
  const failing = diarist('failing', diary, {
    start(_, onStop) {
      onStop(() => diary.push('close half'))
      throw new Error('no such device')
    },
  })
  const services = [diarist('first', diary), failing, diarist('never', diary)]
  await using testDatabase = await createTestDatabase(services)
  const starting = startNode({ ...testNode(services, testDatabase.url, 'unused'), log: errorLog().log })
  await expect(starting).rejects.toThrow('failing could not start: no such device')
  expect(diary).toEqual(['open first', 'close half', 'close first'])
})

test('a node starts the services of its API and worker once, and no others', async () => {
  const diary: string[] = []
  const [one, two] = [diarist('one', diary), diarist('two', diary)]
  await using testDatabase = await createTestDatabase([one, two])
  const options = { services: [one, two], databaseUrl: testDatabase.url }
  const opening = async (more: object) => {
    diary.length = 0
    await using _ = await startTestApp({ ...options, ...more })
    return [...diary]
  }
  const address = { host: '127.0.0.1', port: 0 }
  expect(await opening({ api: { ...address, services: [two] }, worker: undefined })).toEqual(['open two'])
  expect(await opening({ api: { ...address, services: [] } })).toEqual(['open one', 'open two'])
  expect(await opening({ api: undefined })).toEqual(['open one', 'open two'])
  expect(await opening({ api: { ...address, services: [two] } })).toEqual(['open one', 'open two'])
})

test('a job that outlasts its node cannot write after its service is closed', async () => {
  const closing = Promise.withResolvers<void>()
  const tried = Promise.withResolvers<string>()
  let [isBegun, isClosed] = [false, false]
  const outlasting = job<object>('outlasting', {
    async run(_, { transaction }) {
      isBegun = true
      await closing.promise
      const writing = transaction((db) => db.run(sql`create table leftover ()`))
      tried.resolve(await writing.then(String, () => 'refused'))
    },
  })
  const service = diarist('outlasted', [], {
    jobs: [outlasting],
    start: (_, onStop) =>
      onStop(async () => {
        isClosed = true
        closing.resolve()
        await tried.promise
      }),
  })
  await using other = await startTestApp(service)
  const app = await startTestApp({ services: [service], databaseUrl: other.databaseUrl, worker: { concurrency: 1 } })
  const { database, queue } = app.platform
  await database.transaction((db) => jobsIn(queue, db, 'outlasted', 'ada').enqueue(outlasting, {}))
  queue.wake(['outlasted'])
  await vi.waitFor(() => expect(isBegun).toBe(true), { timeout: 20_000 })
  await app[Symbol.asyncDispose]()
  expect(isClosed).toBe(true)
  expect(await tried.promise).toBe('refused')
  const left = sql`select 1 from pg_tables where tablename = 'leftover'`
  expect(await other.platform.database.many(left)).toEqual([])
})

test('a job or service that never ends prevents neither others from closing nor the node from stopping', async () => {
  const diary: string[] = []
  const { log, lines } = errorLog()
  const heedless = job<object>('heedless', {
    run() {
      diary.push('job begins')
      return new Promise<void>(() => {})
    },
  })
  const flushing = diarist('flushing', diary, {
    jobs: [heedless],
    start({ database }, onStop) {
      onStop(async () => diary.push(`wrote ${(await database.one<{ n: number }>(sql`select 1 as n`)).n}`))
    },
  })
  const stuck = diarist('stuck', diary, { start: (_, onStop) => onStop(() => new Promise(() => {})) })
  const run = async (services: readonly Service[]) => {
    diary.length = 0
    const app = await startTestApp({ services, log, worker: { concurrency: 1 } })
    const { database, queue } = app.platform
    await database.transaction((db) => jobsIn(queue, db, 'flushing', 'ada').enqueue(heedless, {}))
    queue.wake(['flushing'])
    await vi.waitFor(() => expect(diary).toContain('job begins'), { timeout: 20_000 })
    await app[Symbol.asyncDispose]()
  }
  await run([flushing]) // the job uses up the grace period
  expect(diary).toEqual(['job begins', 'wrote 1'])
  await run([diarist('first', diary), stuck, flushing])
  expect(diary).toEqual(['open first', 'job begins', 'wrote 1', 'close first'])
  expect(lines.filter((line) => line.includes('could not close'))).toHaveLength(1)
  expect(lines.join()).toMatch(/It took more than 1000 ms.*"service":"stuck"/)
})
