import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, prepareDatabase, type Service, sealedColumnsOf, sql } from '@icosa/kernel'
import { testMasterKeys } from '@icosa/testing'
import { openVault } from '@icosa/tokens'
import { migrateDirectory } from '../../cells/migrations.ts'
import { findTenant, setTenantRoute } from '../../cells/store.ts'
import { startDevPostgres } from '../../dev/postgres.ts'
import type { MoveCell, MoveCells, Route } from '../cell.ts'
import { routeOf } from '../route.ts'

/** Of every cell's PostgreSQL. */
export const replicationSettings = [
  "wal_level = 'logical'",
  "max_slot_wal_keep_size = '256MB'",
  'max_wal_senders = 20',
  'max_replication_slots = 20',
  'max_logical_replication_workers = 10',
  'max_worker_processes = 20',
]

/** A PostgreSQL that can replicate, with templates for cells and a directory. */
export interface TestServer extends AsyncDisposable {
  /** Cells `a` and `b` with the tenants, which live in `a`, and a directory that knows them. */
  cells(...tenants: readonly string[]): Promise<TestCells>
  /** Another cell, without tenants. */
  addCell(world: TestCells, name: string): Promise<MoveCell & AsyncDisposable>
}

export interface TestCells extends AsyncDisposable {
  readonly directory: Database
  readonly directoryUrl: string
  readonly cells: MoveCells
  readonly route: Route
  readonly tenants: readonly string[]
  /** What routers know of a tenant. */
  routed(tenant: string): Promise<{ readonly cell: string; readonly isHeld: boolean } | undefined>
}

export async function startTestServer(services: readonly Service[]): Promise<TestServer> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'icosa-moves-'))
  await chmod(directory, 0o755)
  const start = () => startDevPostgres({ directory, throwaway: true })
  const created = await start()
  await using(created.url, async (database) => {
    for (const setting of replicationSettings) await database.script(`alter system set ${setting}`)
  })
  await created.stop()
  const server = await start()
  const at = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const prepared = async (name: string, prepare: (database: Database) => Promise<void>) => {
    await using(server.url, (database) => database.script(`create database ${name}`))
    await using(at(name), prepare)
  }
  await prepared('cell', (database) => prepareDatabase(database, services))
  await prepared('directory', migrateDirectory)
  let count = 0
  const openIn = async (stack: AsyncDisposableStack, template: string, name: string) => {
    await using(server.url, (database) => database.script(`create database ${name} template ${template}`))
    const database = openDatabase({ url: at(name), maxConnections: 8, onError: () => {} })
    stack.defer(() => database.close())
    const vault = async (tenant: string) =>
      (await openVault(database, { masterKeys: testMasterKeys, sealed: () => sealedColumnsOf(services) })).of(tenant)
    return { database, databaseUrl: at(name), vault }
  }
  return {
    async addCell({ directory }, name) {
      const stack = new AsyncDisposableStack()
      const number = 3
      const cell = { name, number, ...(await openIn(stack, 'cell', `${name}_${++count}`)) }
      await describe(directory, [cell], [])
      return { ...cell, [Symbol.asyncDispose]: () => stack.disposeAsync() }
    },
    async cells(...tenants) {
      const stack = new AsyncDisposableStack()
      const number = ++count
      const open = (template: string, name: string) => openIn(stack, template, name)
      const source = { name: 'a', number: 1, ...(await open('cell', `a_${number}`)) }
      const target = { name: 'b', number: 2, ...(await open('cell', `b_${number}`)) }
      const { database, databaseUrl: directoryUrl } = await open('directory', `directory_${number}`)
      await describe(database, [source, target], tenants)
      return {
        directory: database,
        directoryUrl,
        cells: {
          source,
          target,
          services: services.map(({ name, moves }) => ({ service: name, source: moves, target: moves })),
        },
        route: routeOf(database),
        tenants,
        routed: (tenant) => findTenant(database, tenant),
        [Symbol.asyncDispose]: () => stack.disposeAsync(),
      }
    },
    async [Symbol.asyncDispose]() {
      await server.stop({ discarding: true })
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function using(url: string, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = openDatabase({ url, maxConnections: 3, onError: () => {} })
  await work(database).finally(() => database.close())
}

async function describe(directory: Database, cells: readonly MoveCell[], tenants: readonly string[]): Promise<void> {
  for (const { name, number, databaseUrl } of cells)
    await directory.run(sql`
      insert into directory.cells (name, number, url, database_url, labels, capacity, state, is_home)
      values (${name}, ${number}, ${`https://${name}.example.com`}, ${databaseUrl}, '{}', 100, 'active', ${number === 1})`)
  for (const tenant of tenants) {
    await cells[0]?.database.run(sql`insert into icosa.tenants (id, created_at) values (${tenant}, now())`)
    const { tag } = (await cells[0]?.database.one<{ tag: string }>(
      sql`select tag from icosa.tenants where id = ${tenant}`,
    )) ?? { tag: '' }
    await directory.run(sql`insert into directory.tenants (id, tag, cell) values (${tenant}, ${tag}, 'a')`)
    await setTenantRoute(directory, tenant, { cell: 'a', isHeld: false })
  }
}

/** Has the second cell created with the data keys of the first one, before a node starts there. */
export async function shareDataKeys({ cells: { source, target } }: TestCells): Promise<void> {
  const keys = await source.database.many<{ row: string }>(
    sql`select k::text as row from icosa.data_keys k order by generation`,
  )
  for (const { row } of keys)
    await target.database.run(sql`
      insert into icosa.data_keys overriding system value select (${row}::icosa.data_keys).*`)
}
