/**
 * One node at ten times its capacity, and one tenant that floods it while another works. `node bench/overload/run.ts`
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKey, openDatabase, systemClock } from '@icosa/kernel'
import { createTestDatabase, example, type Latency, latencyIn } from '@icosa/testing'
import { insert } from '../../packages/testing/src/example/notes/store.ts'
import { type Figure, latencies, median, record } from '../figures.ts'
import { startServer } from '../load.ts'

const run = promisify(execFile)
const seconds = Number(process.env.BENCH_SECONDS ?? 5)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)

await using database = await createTestDatabase([example])
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => {} })
const keyOf = async (tenant: string) =>
  (await createKey(db, systemClock, { tenant, name: 'bench', permissions: ['*'] })).key
const [flooder, neighbour] = [await keyOf('flooder'), await keyOf('neighbour')]
const noteOf = async (tenant: string) =>
  (await insert(db, tenant, { title: 'A note', text: 'of ordinary length '.repeat(10) }, systemClock.now())).id
const notes = { flooder: await noteOf('flooder'), neighbour: await noteOf('neighbour') }
await db.close()
const server = await startServer(new URL('../requests/ours.ts', import.meta.url), [database.url, blobs])
const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024

interface Loaded {
  readonly good: number
  readonly refused: number
}

/** Successful and refused requests per second. */
async function flood(connections: number, kind: 'read' | 'write'): Promise<Loaded> {
  const script = new URL('write.lua', import.meta.url).pathname
  const target = kind === 'read' ? `/example/notes/${notes.flooder}` : '/example/notes'
  const { stdout } = await run('taskset', [
    ...['-c', '1', 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s'],
    ...['-H', `X-Api-Key: ${flooder}`, ...(kind === 'write' ? ['-s', script] : []), server.url + target],
  ])
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0)
  return { good: (requests - refused) / seconds, refused: refused / seconds }
}

/** Latency of another tenant's sequential requests, in ms. */
async function neighbourTimes(until: Promise<unknown>): Promise<Latency> {
  const times: number[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const began = performance.now()
    const answer = await fetch(`${server.url}/example/notes/${notes.neighbour}`, {
      headers: { 'x-api-key': neighbour },
    })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`the neighbour got ${answer.status}`)
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return latencyIn(times)
}

const wait = () => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

const figures: Figure[] = []
for (const kind of ['read', 'write'] as const) {
  await flood(64, kind)
  const peaks: number[] = []
  const overloads: Loaded[] = []
  const before = memoryMb()
  for (let round = 0; round < rounds; round++) {
    peaks.push((await flood(64, kind)).good)
    overloads.push(await flood(640, kind))
    process.stderr.write(`${kind} ${round + 1} of ${rounds}\n`)
  }
  const peak = median(peaks)
  const good = median(overloads.map((overload) => overload.good))
  const refused = median(overloads.map((overload) => overload.refused))
  figures.push(
    { name: `${kind}s served, 640 connections`, value: good / peak, unit: '×', comparedWith: 'those with 64' },
    { name: `${kind}s served, 640 connections, requests`, value: good, unit: '/s' },
    { name: `${kind}s refused, 640 connections`, value: refused, unit: '/s' },
    { name: `${kind}s, memory before`, value: before, unit: 'MB' },
    { name: `${kind}s, memory after`, value: memoryMb(), unit: 'MB' },
  )
}

figures.push(...latencies('read of another tenant, quiet', await neighbourTimes(wait())))
for (const connections of [64, 640]) {
  const flooded = await neighbourTimes(flood(connections, 'read'))
  figures.push(...latencies(`read of another tenant beside ${connections} connections`, flooded))
}
record(figures)
server.child.kill('SIGKILL')
rmSync(blobs, { recursive: true })
