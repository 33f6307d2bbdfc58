/** Cost of traces for an authenticated GET: none, propagated (no collector), all recorded; alternately in one run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, example, startTestApp } from '@icosa/testing'
import { startCollector } from '../../packages/telemetry/src/testing/collector.ts'
import { type Figure, median, record } from '../figures.ts'
import { load, startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const modes = ['none', 'passed', 'recorded'] as const

await using database = await createTestDatabase([example])
await using collector = await startCollector()
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const { path, headers } = await note()
const nodes = await Promise.all(
  modes.map((mode) => startServer(new URL('node.ts', import.meta.url), [database.url, blobs, mode, collector.url])),
)
const samples: number[][] = modes.map(() => [])
for (let round = -1; round < rounds; round++) {
  const cpu = await Promise.all(
    nodes.map(async (node) => (await load(node, { connections: 16, seconds, path, headers })).cpuUs),
  )
  if (round >= 0) for (const [index, us] of cpu.entries()) samples[index]?.push(us) // the first round warms up
}
const [none = 0, passed = 0, recorded = 0] = samples.map(median)
if (collector.spans.length === 0) throw new Error('No span arrived.')
const cpu = (name: string, us: number): Figure[] => [
  { name: `${name}, CPU of a read`, value: us, unit: 'µs' },
  { name: `${name}, CPU`, value: us / none, unit: '×', comparedWith: 'a node without tracing' },
]
record([
  { name: 'without tracing, CPU of a read', value: none, unit: 'µs' },
  ...cpu('traces propagated', passed),
  ...cpu('all traces recorded', recorded),
])
for (const { child } of nodes) child.kill('SIGKILL')
rmSync(blobs, { recursive: true })

async function note() {
  await using app = await startTestApp({ services: [example], databaseUrl: database.url })
  const key = { 'x-api-key': await app.key('bench') }
  const created = await fetch(`${app.url}/example/notes`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: '{"title":"t","text":""}',
  })
  const { id } = (await created.json()) as { id: string }
  return { path: `/example/notes/${id}`, headers: key }
}
