import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '@icosa/client'
import { openDatabase, prepareDatabase, sql } from '@icosa/kernel'
import { example, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { notes } from '../../packages/testing/src/example/notes/contract.ts'
import { foldersOf } from '../../services/sql-virtual-machines/src/hosting/folders.ts'
import { killAll } from '../../services/sql-virtual-machines/src/hosting/tree.ts'
import { startMachinesApp } from '../../services/sql-virtual-machines/src/testing/app.ts'
import { connectTo, groupResourceId, tenantOf } from '../../services/sql-virtual-machines/src/testing/tenant.ts'
import { startOperations } from './operations.ts'
import { openCell } from './processes.ts'

const operations = sized(20, 400)
const writers = 8

// Nightly, since it takes minutes.
test.skipIf(!process.env.NIGHTLY)(
  'an API node and a worker survive the failover of their PostgreSQL to another machine',
  {
    timeout: 600_000,
  },
  async () => {
    await using app = await startMachinesApp()
    const tenant = await tenantOf(app, 'operator')
    await tenant.createGroup('own', { properties: { sqlImageSku: 'Enterprise' } })
    const properties = { sqlVirtualMachineGroupResourceId: groupResourceId('own') }
    for (const name of ['own-1', 'own-2']) await tenant.create(name, { properties })
    const [first, second] = [await tenant.credentials('own-1'), await tenant.credentials('own-2')]
    // The standby comes first: it must not be mistaken for the primary.
    const url = `postgres://${first.user}:${first.password}@${second.host}:${second.port},${first.host}:${first.port}/${first.database}`
    const prepared = openDatabase({ url, maxConnections: 2, onError: () => {} })
    await prepareDatabase(prepared, [example])
    await prepared.close()

    await using cell = await openCell({ url, [Symbol.asyncDispose]: async () => {} })
    const api = await cell.start({ api: true })
    const worker = await cell.start({ worker: true, concurrency: 4 })
    const published = await startOperations(cell.database, operations, 200)
    const acknowledged = new Set<string>()
    let isOver = false
    const writing = Array.from({ length: writers }, async () => {
      const { createNote } = client(notes, { baseUrl: `${api.url}/example`, headers: { 'x-api-key': cell.key } })
      while (!isOver) {
        // A failed write was not acknowledged: it may or may not exist.
        const note = await createNote({ body: { title: 'kept', text: '' } }).catch(() => undefined)
        if (note) acknowledged.add(note.body.id)
        await sleep(note ? 20 : 100)
      }
    })
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(20)

    const { id } = await app.platform.database.one<{ id: string }>(sql`
    select id from sql_virtual_machines.machines where name = 'own-1'`)
    const killed = performance.now()
    await killAll(foldersOf(app.folder, id).all)
    const takesWrites = async () => {
      const connection = await connectTo(second.connectionString).catch(() => undefined)
      const answer = await connection
        ?.query<{ copies: boolean }>('select pg_is_in_recovery() as copies')
        .catch(() => undefined)
      await connection?.end()
      return answer?.rows[0]?.copies === false
    }
    await expect.poll(takesWrites, { timeout: 120_000, interval: 50 }).toBe(true)
    const promoted = performance.now()
    const before = acknowledged.size
    const isReady = async () => (await fetch(`${api.url}/readyz`).catch(() => undefined))?.ok === true
    await expect.poll(isReady, { timeout: 120_000, interval: 50 }).toBe(true)
    const ready = performance.now()
    await expect.poll(() => acknowledged.size, { timeout: 120_000 }).toBeGreaterThan(before + 20)
    isOver = true
    await Promise.all(writing)

    const times = async () =>
      cell.database.many<{ times: number }>(sql`
      select distinct published_times as times from example.notes where id = any(${published}::text[])`)
    await expect.poll(times, { timeout: 240_000, interval: 500 }).toEqual([{ times: 1 }])
    const done = performance.now()
    const rows = await cell.database.many<{ id: string }>(sql`select id from example.notes`)
    const ids = new Set(rows.map((row) => row.id))
    const lost = [...acknowledged].filter((one) => !ids.has(one))
    console.log(
      `promoted after ${Math.round(promoted - killed)} ms, ready ${Math.round(ready - promoted)} ms later; ` +
        `${acknowledged.size} acknowledged, ${lost.length} lost; ${operations} jobs once, ${Math.round((done - promoted) / 1_000)} s after it (load ${loadavg()[0]?.toFixed(1)})`,
    )
    expect(lost).toEqual([])
    expect([api.child.exitCode, worker.child.exitCode]).toEqual([null, null])
  },
)
