import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey, openDatabase, systemClock } from '@icosa/kernel'
import { createTestDatabase, example } from '@icosa/testing'
import { insert } from '../packages/testing/src/example/notes/store.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const goal = 0.85
const tenant = 'bench'

/** Reads one stored row, bare and through the whole stack, in turns, so that both see the same weather. */
await using database = await createTestDatabase([example])
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const { key, noteId } = await seed()
const servers = {
  bare: await start('bare.ts', [database.url, tenant]),
  ours: await start('ours.ts', [database.url, blobs]),
}
type Name = keyof typeof servers

const samples: { name: Name; connections: number; perSecond: number; cpuUs: number }[] = []
for (const name of ['bare', 'ours'] as const) load(name, 32)
for (let round = 1; round <= rounds; round++) {
  for (const connections of [32, 128])
    for (const name of ['bare', 'ours'] as const) samples.push(load(name, connections))
  process.stderr.write(`round ${round} of ${rounds}\n`)
}
for (const { child } of Object.values(servers)) child.kill('SIGKILL')
rmSync(blobs, { recursive: true })
report()

async function seed() {
  const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => {} })
  const note = await insert(db, tenant, { title: 'A note', text: 'of ordinary length '.repeat(10) }, systemClock.now())
  const { key } = await createKey(db, systemClock, { tenant, name: 'bench', permissions: ['example:*'] })
  await db.close()
  return { key, noteId: note.id }
}

async function start(file: string, args: readonly string[]) {
  const child = fork(new URL(file, import.meta.url), args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const [url] = await once(child, 'message')
  if (cpus().length > 1) execFileSync('taskset', ['-apc', '0', String(child.pid)], { stdio: 'ignore' })
  return { child, url: String(url) }
}

function load(name: Name, connections: number) {
  const { child, url } = servers[name]
  const before = cpuUsOf(child.pid)
  const command = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '-H',
    `X-Api-Key: ${key}`,
    `${url}/example/notes/${noteId}`,
  ]
  const output = execFileSync('taskset', ['-c', cpus().length > 1 ? '1' : '0', 'wrk', ...command], { encoding: 'utf8' })
  const requests = Number(/(\d+) requests in/.exec(output)?.[1])
  if (/Non-2xx/.test(output) || !requests) throw new Error(`${name} answered with errors:\n${output}`)
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
  return { name, connections, perSecond, cpuUs: (cpuUsOf(child.pid) - before) / requests }
}

function cpuUsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const tickUs = 10_000
  return (Number(fields[11]) + Number(fields[12])) * tickUs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function report(): void {
  console.log('\nauthenticated GET of one stored row, median of rounds\n')
  console.log('connections  bare req/s  ours req/s  ratio  bare CPU us  ours CPU us')
  let low = Number.POSITIVE_INFINITY
  for (const connections of [32, 128]) {
    const of = (name: Name) => samples.filter((one) => one.name === name && one.connections === connections)
    const [bare, ours] = [of('bare'), of('ours')]
    const ratio = median(ours.map((one, round) => one.perSecond / (bare[round]?.perSecond ?? Number.NaN)))
    low = Math.min(low, ratio)
    const cells = [
      String(connections).padEnd(11),
      median(bare.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(10),
      median(ours.map(({ perSecond }) => perSecond))
        .toFixed(0)
        .padStart(10),
      ratio.toFixed(2).padStart(5),
      median(bare.map(({ cpuUs }) => cpuUs))
        .toFixed(0)
        .padStart(11),
      median(ours.map(({ cpuUs }) => cpuUs))
        .toFixed(0)
        .padStart(11),
    ]
    console.log(cells.join('  '))
  }
  console.log(`\nratio ${low.toFixed(2)}, goal ${goal}`)
  process.exitCode = low >= goal ? 0 : 1
}
