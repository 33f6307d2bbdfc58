import {
  createTestDatabase,
  example,
  expireClaims,
  startPgBouncer,
  startTestApp,
  withoutPgBouncer,
} from '@icosa/testing'
import { expect, test } from 'vitest'
import { notFound } from '../../errors.ts'
import { job } from '../../jobs/jobs.ts'
import type { Service } from '../../service.ts'
import { type Database, openDatabase, sql } from '../db.ts'
import { type State, setTenantState } from './moves.ts'
import { Misdirected, TenantFenced } from './states.ts'

const poll = { timeout: 20_000, interval: 20 }

async function opened() {
  const stack = new AsyncDisposableStack()
  const { url } = stack.use(await createTestDatabase([]))
  const open = (at = url) => {
    const database = openDatabase({ url: at, directUrl: url, maxConnections: 4, onError: () => {} })
    stack.defer(() => database.close())
    return database
  }
  const database = open()
  await database.script('create table public.rows (tenant text)')
  return { database, open, url, stack, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const write = (database: Database, tenant: string, until?: Promise<void>) =>
  database.transaction(async (db) => {
    await db.run(sql`insert into public.rows values (${tenant})`)
    await until
  }, tenant)

const rowsOf = async (database: Database, tenant: string) =>
  (await database.many(sql`select from public.rows where tenant = ${tenant}`)).length

async function bring(database: Database, tenant: string, ...states: readonly State[]): Promise<void> {
  for (const state of states) await setTenantState(database, tenant, state, 'b')
}

test('a fence waits for open transactions of the tenant alone, and excludes later ones on every node', async () => {
  await using cell = await opened()
  const { database } = cell
  const node = cell.open() // learns of nothing by itself
  await write(node, 'ada')
  const [adas, bobs] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await bring(database, 'ada', 'copying')
  const open = [write(node, 'ada', adas.promise), write(node, 'bob', bobs.promise)]
  await expect.poll(() => node.load().open, poll).toBeGreaterThanOrEqual(2)
  const sessions = () =>
    database.one<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`)
  await expect.poll(async () => (await sessions()).count, poll).toBe(2)

  let isFenced = false
  const fencing = bring(database, 'ada', 'fenced').then(() => {
    isFenced = true
  })
  await write(node, 'bob') // is not kept waiting
  expect(isFenced).toBe(false)
  adas.resolve()
  await fencing
  expect(await rowsOf(database, 'ada'), 'the open transaction has committed').toBe(2)

  await bring(database, 'ada', 'moved')
  await expect(write(node, 'ada')).rejects.toThrow(Misdirected)
  await expect(write(node, 'ada')).rejects.toMatchObject({ kind: 'misdirected', cell: 'b' })
  expect(await rowsOf(database, 'ada')).toBe(2)
  bobs.resolve()
  await Promise.all(open)

  await bring(database, 'ada', 'active')
  await write(node, 'ada') // immediately
  expect(await rowsOf(database, 'ada')).toBe(3)
})

test('writes wait while a tenant is fenced, and go on if it stays', async () => {
  await using cell = await opened()
  const { database } = cell
  await bring(database, 'ada', 'copying', 'fenced')
  const writes = [write(database, 'ada'), write(cell.open(), 'ada')]
  await expect(Promise.race([...writes, write(database, 'bob').then(() => 'bob')])).resolves.toBe('bob')
  await bring(database, 'ada', 'active')
  await Promise.all(writes)
  expect(await rowsOf(database, 'ada')).toBe(2)

  await bring(database, 'ada', 'copying', 'fenced')
  await using broken = await opened()
  await broken.database.script('drop view icosa.gate_1') // after a partial restore, say
  const refused = [write(database, 'ada'), write(broken.database, 'ada')].map((writing) =>
    expect(writing).rejects.toThrow(TenantFenced),
  )
  await Promise.all(refused)
})

test('a state only follows the one before, and repeating a step after a crash has no effect', async () => {
  await using cell = await opened()
  const { database } = cell
  for (const state of ['fenced', 'moved'] as const)
    await expect(bring(database, 'ada', state)).rejects.toMatchObject({ kind: 'conflict' })
  await bring(database, 'ada', 'active', 'copying', 'copying')
  await expect(bring(database, 'ada', 'moved')).rejects.toThrow("'ada' is copying: it cannot become moved")
  await bring(database, 'ada', 'fenced', 'fenced', 'moved', 'moved')
  await expect(bring(database, 'ada', 'fenced')).rejects.toThrow("'ada' is moved")
  await bring(database, 'ada', 'active', 'copying', 'active')
  const gates = await database.many(sql`select from pg_views where schemaname = 'icosa' and viewname ~ '^gate_'`)
  expect(gates, 'none is left over').toHaveLength(1)

  // A mover that was killed between the two steps of `copying` leaves the old gate, which the next one drops.
  const { gate } = await database.one<{ gate: number }>(sql`select last_gate + 1 as gate from icosa.fence`)
  await database.script(`create view icosa.gate_${gate} as select; update icosa.fence set last_gate = ${gate}`)
  await bring(database, 'ada', 'copying', 'fenced')
  expect(
    await database.many(sql`select from pg_views where schemaname = 'icosa' and viewname ~ '^gate_'`),
  ).toHaveLength(1)
})

test('requests for a tenant that has moved get 421 with its cell; other tenants notice nothing', async () => {
  await using app = await startTestApp({ services: [example] })
  const keys = { ada: await app.key('ada'), bob: await app.key('bob') }
  const send = async (tenant: keyof typeof keys, method: string) => {
    const response = await fetch(`${app.url}/example/notes`, {
      method,
      headers: { 'x-api-key': keys[tenant], 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ title: 'A', text: 'b' }) }),
    })
    return { status: response.status, cell: response.headers.get('icosa-cell'), body: await response.json() }
  }
  const { database } = app.platform
  expect(await send('ada', 'POST')).toMatchObject({ status: 201 })
  await bring(database, 'ada', 'copying')
  expect(await send('ada', 'POST')).toMatchObject({ status: 201 })
  await bring(database, 'ada', 'fenced')
  expect(await send('ada', 'GET'), 'reads go on').toMatchObject({ status: 200 })
  const waiting = send('ada', 'POST')
  expect(await send('bob', 'POST')).toMatchObject({ status: 201 })
  await bring(database, 'ada', 'moved')

  const message = "This tenant lives in the cell 'b': send the request there."
  const elsewhere = { status: 421, cell: 'b', body: { error: { message } } }
  expect(await waiting).toMatchObject(elsewhere)
  expect(await send('ada', 'POST')).toMatchObject(elsewhere)
  await expect.poll(() => send('ada', 'GET'), poll).toMatchObject(elsewhere)
  expect(await send('bob', 'GET')).toMatchObject({ status: 200, cell: null })

  await bring(database, 'ada', 'active')
  expect(await send('ada', 'GET'), 'at once').toMatchObject({ status: 200 })
  expect(await send('ada', 'POST')).toMatchObject({ status: 201 })
})

test('pages that are not found for a tenant that has left get 421; those of others stay 404', async () => {
  const routes: Service['routes'] = () => async (app) => void app.get('/example/page', () => notFound('page', 'it'))
  await using app = await startTestApp({
    services: [{ ...example, routes }],
    tagIn: ({ target }) => /^\/~(\w{12})/.exec(target)?.[1],
  })
  const { database } = app.platform
  await app.key('ada')
  const { tag } = await database.one<{ tag: string }>(sql`select tag from icosa.tenants where id = 'ada'`)
  const statusOf = async (prefix: string) => (await fetch(`${app.url}${prefix}/example/page`)).status
  expect(await statusOf(`/~${tag}`)).toBe(404)
  await bring(database, 'ada', 'copying', 'fenced', 'moved')
  await database.run(sql`delete from icosa.credentials where tenant = 'ada'`)
  await expect.poll(() => statusOf(`/~${tag}`), poll).toBe(421)
  expect(await statusOf('')).toBe(404)
  expect(await statusOf(`/~${'z'.repeat(12)}`)).toBe(404)
})

test('jobs and timers of a tenant that leaves do not start, and running ones cannot finish', async () => {
  const started: string[] = []
  const isFenced = Promise.withResolvers<void>()
  const hang = job<string>('hang', {
    async run(name, { db }) {
      started.push(name)
      if (started.length === 1) await isFenced.promise
      await db.one(sql`select 1`)
      return async (last) => {
        await last.run(sql`insert into icosa.revocations (subject) values (${name})`)
      }
    },
  })
  const service: Service = { ...example, jobs: [hang] }
  await using app = await startTestApp({ services: [service], worker: { concurrency: 4, background: true } })
  const { platform } = app
  const { database } = platform
  const enqueue = (tenant: string, name: string, at?: Date) =>
    platform.transaction('example', tenant, (_, jobs) => jobs.enqueue(hang, name, { at }).then(() => {}))
  const finished = async () =>
    (await database.many<{ subject: string }>(sql`select subject from icosa.revocations`)).map((row) => row.subject)

  await enqueue('ada', 'running')
  await expect.poll(() => started, poll).toEqual(['running'])
  await bring(database, 'ada', 'copying')
  await enqueue('ada', 'timer', new Date(platform.clock.now().getTime() + 1_000))
  await bring(database, 'ada', 'fenced', 'moved')
  await database.run(sql`
    insert into icosa.jobs (queue, payload) values ('example', '{"job": "hang", "tenant": "ada", "input": "waiting"}')`)
  await app.clock.advance(2_000)
  isFenced.resolve()
  await enqueue('bob', 'of another tenant')
  await expect.poll(finished, poll).toEqual(['of another tenant'])
  await expireClaims(database)
  await app.jobs.drain() // returns, although jobs are left
  expect(started, 'neither its waiting job nor its timer').toEqual(['running', 'of another tenant'])
  const jobs = () =>
    database.many<{ attempt: number; failures: number | null }>(sql`
      select attempt, payload -> 'failures' as failures from icosa.jobs where tenant = 'ada' order by id`)
  expect(await jobs(), 'no retries, no failures').toEqual([
    { attempt: 1, failures: null },
    { attempt: 0, failures: null },
  ])

  await bring(database, 'ada', 'active')
  platform.queue.wake(['example', '@timers'])
  await expect
    .poll(async () => (await finished()).sort(), poll)
    .toEqual([...['of another tenant', 'running', 'timer', 'waiting']])
})

test('tenants that have left do not keep others from being found, however many they are', async () => {
  const order: string[] = []
  const note = job<null>('note', { run: async (_, { tenant }) => void order.push(tenant) })
  await using app = await startTestApp({ services: [{ ...example, jobs: [note] }] })
  const { database } = app.platform
  await database.run(sql`
    insert into icosa.jobs (queue, payload) select 'example', jsonb_build_object('job', 'note', 'tenant', 'left-' || n, 'input', null)
    from generate_series(1, 200) as n`)
  await database.run(sql`
    insert into icosa.tenant_states (id, state, cell) select 'left-' || n, 'moved', 'b' from generate_series(1, 200) as n`)
  await app.platform.transaction('example', 'zoe', (_, jobs) => jobs.enqueue(note, null).then(() => {}))
  await app.jobs.drain()
  expect(order).toEqual(['zoe'])
})

test.skipIf(withoutPgBouncer)('a fence works through a pooler that shares sessions', async () => {
  await using cell = await opened()
  const bouncer = cell.stack.use(await startPgBouncer(cell.url))
  const node = cell.open(bouncer.url)
  await Promise.all(Array.from({ length: 20 }, () => write(node, 'ada')))
  await bring(cell.database, 'ada', 'copying')
  await write(node, 'ada')
  await bring(cell.database, 'ada', 'fenced', 'moved')
  await expect(write(node, 'ada')).rejects.toThrow(Misdirected)
  expect(await rowsOf(node, 'ada')).toBe(21)
})
