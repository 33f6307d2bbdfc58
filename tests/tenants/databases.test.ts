import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { movesOf } from '@icosa/sql-databases/moves'
import { testService, testSettings } from '@icosa/sql-databases/testing/app'
import { connectTo, tenantOf } from '@icosa/sql-databases/testing/tenant'
import { seededBelow, sized, startTestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevPostgres } from '../../apps/server/src/dev/postgres.ts'
import type { MoveCell } from '../../apps/server/src/moves/cell.ts'
import { blockers, moveTenant } from '../../apps/server/src/moves/move.ts'
import { openMove } from '../../apps/server/src/moves/store.ts'
import {
  shareDataKeys,
  startTestServer,
  type TestCells,
  type TestServer,
} from '../../apps/server/src/moves/testing/cells.ts'
import { Crash, crashing } from '../../apps/server/src/moves/testing/crashes.ts'
import { leftovers } from '../../apps/server/src/moves/testing/writers.ts'

let server: TestServer
/** The SQL host of the second cell; that of the first is the server of both cells. */
let other: { readonly url: string; stop(): Promise<void> }
beforeAll(async () => {
  server = await startTestServer([testService()])
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'icosa-sql-host-')))
  await chmod(directory, 0o755)
  const started = await startDevPostgres({ directory, throwaway: true })
  other = {
    url: started.url,
    async stop() {
      await started.stop({ discarding: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
})
afterAll(async () => {
  await other.stop()
  await server[Symbol.asyncDispose]()
})

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const rows = sized(2_000, 10_000)

const filling = `
  create schema shop;
  create type shop.state as enum ('new', 'paid');
  create table shop.orders (id int generated always as identity primary key, at timestamptz default now(), text text,
    price numeric, ratio double precision, state shop.state default 'new', content bytea);
  insert into shop.orders (text, price, ratio, content)
    select repeat('x', n % 50), n / 3.0, n / 7.0, decode(md5(n::text), 'hex') from generate_series(1, ${rows}) n;
  create view shop.paid as select * from shop.orders where state = 'paid';
  create function shop.twice(n int) returns int language sql as 'select 2 * n';
  create sequence shop.invoices start 1000; select nextval('shop.invoices');
  create table public."odd ""name""" (id int primary key);
  select lo_from_bytea(0, 'large');
  alter role current_user set search_path = 'shop', 'a "b"'`

/** Two cells with SQL hosts of their own, and a tenant with two databases in the first, of which one is paused. */
async function startDatabases() {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(await server.cells('acme'))
  const own = Object.assign(new URL(world.cells.source.databaseUrl), { pathname: '/postgres' }).href
  const settings = [own, other.url].map((adminUrl) => testSettings({ adminUrl, sharedHost: true }))
  const [source, target] = settings.map((each) => movesOf(each))
  const services = [{ service: 'sql-databases', source: source ?? 'withRows', target: target ?? 'withRows' }]
  const start = ({ databaseUrl }: MoveCell, n: number) =>
    startTestApp({ services: [testService(settings[n])], databaseUrl })
  const app = stack.use(await start(world.cells.source, 0))
  await shareDataKeys(world)
  const acme = await tenantOf(app, 'acme')
  for (const name of ['orders', 'paused']) await acme.create(name)
  {
    await using connection = await acme.connect('orders')
    await connection.query(filling)
    await using paused = await acme.connect('paused')
    await paused.query('create table kept as select 1 as id')
  }
  await acme.client.pause(acme.of('paused'))
  await app.jobs.drain()
  const url = (await acme.credentials('orders')).connectionString
  const moved = stack.move()
  return {
    acme,
    url,
    own,
    world: { ...world, cells: { ...world.cells, services } } satisfies TestCells,
    startThere: () => start(world.cells.target, 1),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Writes on one connection after the other, wherever the database is. */
function startClient(urlNow: () => Promise<string>) {
  const acknowledged: number[] = []
  const isRunning = { yes: true }
  let slowestMs = 0
  const work = (async () => {
    let last = performance.now()
    for (let n = 1; isRunning.yes; )
      try {
        await using connection = await connectTo(await urlNow())
        for (; isRunning.yes; n++) {
          await connection.query(`insert into public."odd ""name""" values (${n})`)
          acknowledged.push(n)
          slowestMs = Math.max(slowestMs, performance.now() - last)
          last = performance.now()
        }
      } catch (error) {
        if ((error as { code?: string }).code === '23505') n++ // committed, but its reply was lost
      }
  })()
  return {
    acknowledged,
    slowestMs: () => Math.round(slowestMs),
    async stop() {
      isRunning.yes = false
      await work
    },
    [Symbol.asyncDispose]: async () => {
      isRunning.yes = false
      await work
    },
  }
}

const hostUrl = (url: string, host: string) => Object.assign(new URL(url), { host: new URL(host).host }).href

const databasesOn = async (adminUrl: string) => {
  await using admin = await connectTo(adminUrl)
  const { rows: found } = await admin.query<{ name: string }>(sql`
    select datname as name from pg_database where datname ~ '^icosa_sql_'
    union all select rolname from pg_roles where rolname ~ '^icosa_sql_'`)
  return found.map(({ name }) => name)
}

test('SQL databases move with roles, passwords and settings, come back with later writes, and no write is lost', async () => {
  await using moving = await startDatabases()
  const { acme, url, world, startThere } = moving
  expect(await blockers(world.cells, 'acme')).toEqual([])
  const there = hostUrl(url, other.url)
  const urlNow = async () => ((await world.routed('acme'))?.cell === 'b' ? there : url)
  await using writer = startClient(urlNow)
  await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(10)
  const move = await moveTenant({ ...world, tenant: 'acme' })
  console.log(move.detail)
  expect(move).toMatchObject({
    state: 'reversible',
    isEqual: true,
    detail: expect.stringMatching(/2 SQL databases with \d+ tables of \d+ MiB are equal, writes waited for \d+ ms/),
  })
  const written = writer.acknowledged.length
  await expect.poll(() => writer.acknowledged.length).toBeGreaterThan(written + 10)
  await expect(connectTo(url), 'closed in the old cell').rejects.toThrow('password authentication failed')

  {
    await using app = await startThere()
    const moved = await tenantOf(app, 'acme')
    const { connectionString } = await moved.credentials('orders')
    expect(connectionString, 'only the address differs').toBe(there)
    expect(await moved.status('paused')).toBe('Paused')
    await using connection = await connectTo(there)
    const { rows: found } = await connection.query(`
      select (select count(*)::int from orders) as orders, twice(21), nextval('invoices')::int as invoice,
        current_setting('search_path') as path`)
    expect(found).toEqual([{ orders: rows, twice: 42, invoice: 1001, path: 'shop, "a ""b"""' }])
    await connection.query(`insert into orders (text) values ('there')`)
    await moved.client.resume(moved.of('paused'))
    await app.jobs.drain()
    await using resumed = await moved.connect('paused')
    expect((await resumed.query('select id from kept')).rows).toEqual([{ id: 1 }])
  }

  expect(await moveTenant({ ...world, tenant: 'acme' }, 'back')).toMatchObject({ state: 'returned' })
  expect(await databasesOn(other.url), 'nothing is left there').toEqual([])
  {
    await using here = await acme.connect('orders')
    expect((await here.query('select count(*)::int as count from orders')).rows).toEqual([{ count: rows + 1 }])
    expect(await acme.status('paused'), 'it was resumed there').toBe('Online')
  }

  await moveTenant({ ...world, tenant: 'acme' })
  await writer.stop()
  expect(await moveTenant({ ...world, tenant: 'acme' }, 'finish')).toMatchObject({ state: 'finished' })
  await using finished = await connectTo(there)
  const { rows: notes } = await finished.query<{ id: number }>('select id from public."odd ""name""" order by 1')
  const ids = new Set(notes.map(({ id }) => id))
  expect(
    writer.acknowledged.filter((id) => !ids.has(id)),
    'lost',
  ).toEqual([])
  await expect(connectTo(url)).rejects.toThrow()
  expect(await leftovers(world)).toEqual([])
  console.log(`${writer.acknowledged.length} writes of a SQL client, longest wait ${writer.slowestMs()} ms`)
})

test('a database that is too large, a common SQL host and an unknown one keep a tenant from moving', async () => {
  await using moving = await startDatabases()
  const { url, own, world } = moving
  const before = await databasesOn(other.url)
  const [service] = world.cells.services
  const settings = testSettings({ adminUrl: own })
  const problems = (part: Partial<NonNullable<typeof service>>) =>
    blockers({ ...world.cells, services: service ? [{ ...service, ...part }] : [] }, 'acme')
  expect(await problems({ source: movesOf(settings, 1_000_000) })).toEqual([
    expect.stringMatching(/^The SQL database 'orders' has \d+ MiB, more than/),
    expect.stringMatching(/^The SQL database 'paused' has \d+ MiB, more than/),
  ])
  expect(await problems({ target: movesOf(settings) })).toEqual([
    expect.stringMatching(/^a and b have the same SQL host/),
  ])
  expect(await problems({ target: movesOf({ ...settings, adminUrl: undefined }) })).toEqual([
    expect.stringMatching(/^The SQL host of b is unknown: set ICOSA_SQL_URL/),
  ])
  await using connection = await connectTo(url)
  await connection.query(`
    create table shop.gone (id int);
    create function shop.fails(n int) returns boolean language plpgsql as
      $$ begin return n > (select count(*) from shop.gone); end $$;
    create table shop.bad (id int check (shop.fails(id)));
    insert into shop.bad values (1);
    drop table shop.gone`)
  const move = await moveTenant({ ...world, tenant: 'acme' })
  expect(move, 'a dump that cannot be loaded').toMatchObject({
    state: 'cancelled',
    detail: expect.stringContaining("The SQL database 'orders' could not be copied"),
  })
  expect(await databasesOn(other.url)).toEqual(before)
  await using open = await connectTo(url)
  expect((await open.query('select count(*)::int as count from shop.orders')).rows).toEqual([{ count: rows }])
})

async function withCrashes(world: TestCells, next: () => number, request?: 'back' | 'cancel') {
  for (let crashes = 0; ; crashes++)
    try {
      const { state } = (await openMove(world.directory, 'acme')) ?? {}
      const isNoted = state === 'returning' || state === 'cancelling'
      if (request !== undefined && state === undefined) return crashes
      const mover = crashing(world, crashes < 4 ? next() : Number.POSITIVE_INFINITY)
      await moveTenant({ ...mover, tenant: 'acme' }, isNoted ? undefined : request)
      return crashes
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
}

test.skipIf(sized(0, 1) === 0)(
  `a mover that is killed while it moves SQL databases continues, and leaves nothing behind (seed ${seed})`,
  async () => {
    const below = seededBelow(seed)
    await using moving = await startDatabases()
    const { url, world } = moving
    const count = async (at: string) => {
      await using connection = await connectTo(at)
      return (await connection.query('select count(*)::int as count from shop.orders')).rows[0]?.count
    }
    let crashes = 0
    for (let round = 0; round < 1; round++) {
      crashes += await withCrashes(world, () => 1 + below(400))
      expect(await count(hostUrl(url, other.url))).toBe(rows)
      crashes += await withCrashes(world, () => 1 + below(100), 'back')
      expect(await count(url)).toBe(rows)
      expect(await databasesOn(other.url)).toEqual([])
      await expect(moveTenant({ ...crashing(world, 300 + below(100)), tenant: 'acme' })).rejects.toThrow(Crash)
      const { state } = (await openMove(world.directory, 'acme')) ?? {}
      crashes += await withCrashes(world, () => 1 + below(100), state === 'reversible' ? 'back' : 'cancel')
      expect(await count(url)).toBe(rows)
      expect(await databasesOn(other.url)).toEqual([])
      expect(await leftovers(world)).toEqual([])
    }
    console.log(`${crashes} crashes`)
  },
)
