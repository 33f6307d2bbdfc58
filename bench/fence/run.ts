/** What the fence of tenants that move costs a write: a transaction with and without its lock, beside a whole request. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, type Database, openDatabase, sql, systemClock } from '@icosa/kernel'
import { createTestDatabase, example } from '@icosa/testing'
import { insert } from '../../packages/testing/src/example/notes/store.ts'
import { cpuUsOf, type Figure, median, record } from '../figures.ts'
import { startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 11)
const count = Number(process.env.BENCH_WRITES ?? 300)
const goalPercent = 2
const tenant = 'bench'

await using created = await createTestDatabase([example])
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const database = openDatabase({ url: created.url, maxConnections: 1, onError: () => {} })
const { key } = await createKey(database, systemClock, { tenant, name: 'bench', permissions: ['*'] })
const node = await startServer(new URL('../requests/ours.ts', import.meta.url), [created.url, blobs])

/** Pids of the PostgreSQL processes that serve this database, except for those of a question like this one. */
async function backends(): Promise<number[]> {
  const rows = await database.many<{ pid: number }>(sql`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`)
  return rows.map(({ pid }) => pid)
}

/** Of processes with one thread, in a finer unit than that of their statistics. */
const cpuOf = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000, 0)

function ownCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** CPU time of one piece of work, in the processes and in PostgreSQL. */
async function measure(processUs: () => number, work: () => Promise<unknown>): Promise<number> {
  const pids = await backends()
  const before = cpuOf(pids) + processUs()
  for (let number = 0; number < count; number++) await work()
  return (cpuOf(pids) + processUs() - before) / count
}

const note = { title: 'A note', text: 'of ordinary length '.repeat(10) }
const write = (writerOf: Parameters<Database['transaction']>[1]) => () =>
  database.transaction((db) => insert(db, tenant, note, systemClock.now()), writerOf)
const request = async () => {
  const response = await fetch(`${node.url}/example/notes`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(note),
  })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`The node answered ${response.status}.`)
}

const kinds = {
  bare: () => measure(ownCpuUs, write(undefined)),
  fenced: () => measure(ownCpuUs, write(tenant)),
  request: () => measure(() => cpuUsOf(node.child.pid), request),
}
type Kind = keyof typeof kinds
const samples: Record<Kind, number[]> = { bare: [], fenced: [], request: [] }
for (const measured of Object.values(kinds)) await measured()
for (let round = 0; round < rounds; round++) {
  const order = Object.keys(kinds) as Kind[]
  for (const kind of round % 2 === 0 ? order : order.toReversed()) samples[kind].push(await kinds[kind]())
}
node.child.kill('SIGKILL')
await database.close()
rmSync(blobs, { recursive: true })

// Of pairs that were measured one after the other: what else the machine does changes more slowly.
const fenceUs = median(samples.fenced.map((fenced, round) => fenced - (samples.bare[round] as number)))
const requestUs = median(samples.request)
const figures: Figure[] = [
  { name: 'CPU of a transaction that inserts a row, without the fence', value: median(samples.bare), unit: 'µs' },
  { name: 'CPU of a transaction that inserts a row, with the fence', value: median(samples.fenced), unit: 'µs' },
  { name: 'CPU of the fence', value: fenceUs, unit: 'µs' },
  { name: 'CPU of a request that writes', value: requestUs, unit: 'µs' },
  {
    name: 'the fence in a request that writes',
    value: (fenceUs / requestUs) * 100,
    unit: '%',
    goal: { atMost: goalPercent },
  },
]
record(figures)
