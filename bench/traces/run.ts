/** What traces cost an authenticated GET: left out, passed on (no collector is set), and all of them recorded; by turns, in one run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, example, startTestApp } from '@icosa/testing'
import { startCollector } from '../../packages/telemetry/src/testing/collector.ts'
import { median } from '../figures.ts'
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
  if (round >= 0) for (const [index, us] of cpu.entries()) samples[index]?.push(us) // the first one warms up
}
console.log(`\nCPU of an authenticated GET, median of ${rounds} rounds (load average ${loadavg()[0]?.toFixed(1)})\n`)
const [base = 0] = samples.map(median)
for (const [index, mode] of modes.entries()) {
  const us = median(samples[index] ?? [])
  console.log(
    `${mode.padEnd(10)} ${us.toFixed(0).padStart(6)} us  ${(((us - base) / base) * 100).toFixed(1).padStart(6)} %`,
  )
}
console.log(`\n${collector.spans.length} spans arrived`)
for (const { child } of nodes) child.kill('SIGKILL')
rmSync(blobs, { recursive: true })

async function note() {
  await using app = await startTestApp({ services: [example], databaseUrl: database.url })
  const key = { 'x-api-key': await app.key('bench') }
  const made = await fetch(`${app.url}/example/notes`, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: '{"title":"t","text":""}',
  })
  const { id } = (await made.json()) as { id: string }
  return { path: `/example/notes/${id}`, headers: key }
}
