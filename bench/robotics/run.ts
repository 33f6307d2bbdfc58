/**
 * A cached response of a season, with authentication, compared with bare Fastify that sends the same bytes from memory, at
 * the same time on the same core; then the import of the synthetic season.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openDatabase, sql } from '@icosa/kernel'
import { basic, createTestDatabase, startTestApp } from '@icosa/testing'
import { importSeason } from '../../services/robotics-statistics/src/import/import.ts'
import { roboticsStatistics } from '../../services/robotics-statistics/src/index.ts'
import { syntheticSeason } from '../../services/robotics-statistics/src/synthetic/season.ts'
import { type Figure, median, record } from '../figures.ts'
import { load, startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 2)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const goal = 0.85
const connections = 64
const tenant = 'bench'
const path = '/robotics-statistics/v3.0/2026/matches/SY001?tournamentLevel=qual&teamNumber=&matchNumber=&start=&end='

const figures: Figure[] = []
await using database = await createTestDatabase([roboticsStatistics])
const authorization = await filled()
const folder = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const file = join(folder, 'answer')

const ours = await startServer(new URL('ours.ts', import.meta.url), [database.url, folder])
const headers = { authorization, 'accept-encoding': 'gzip' }
const first = await fetch(ours.url + path, { headers })
const since = first.headers.get('last-modified') ?? ''
writeFileSync(file, await compressed())
const bare = await startServer(new URL('bare.ts', import.meta.url), [file])

const counting = openDatabase({ url: database.url, maxConnections: 1, onError: console.error })
const asked = async () =>
  Number(
    (
      await counting.one<{ n: string }>(sql`select xact_commit + xact_rollback as n from pg_stat_database
    where datname = current_database()`)
    ).n,
  )

await compare('cached answer, 200', headers)
await compare('cached answer, 304', { ...headers, 'if-modified-since': since })
await counting.close()
for (const { child } of [bare, ours]) child.kill('SIGKILL')
rmSync(folder, { recursive: true })
record(figures)

async function filled(): Promise<string> {
  await using app = await startTestApp({ services: [roboticsStatistics], databaseUrl: database.url })
  const key = await app.key(tenant)
  for (const name of ['synthetic season imported', 'synthetic season imported again, unchanged']) {
    const began = performance.now()
    const season = syntheticSeason({ season: 2026, events: 72, teams: 3_000 })
    const { rows } = await importSeason(app.platform.database, tenant, season, app.platform.clock)
    const seconds = (performance.now() - began) / 1_000
    figures.push({ name: `${name}, ${rows.toLocaleString('en')} rows`, value: seconds, unit: 's' })
  }
  return basic(tenant, key)
}

/** The response body as sent: fetch would decompress it. */
async function compressed(): Promise<Buffer> {
  const { request } = await import('node:http')
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    request(ours.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
  gunzipSync(bytes)
  return bytes
}

async function compare(name: string, sent: Record<string, string>): Promise<void> {
  const both = (seconds: number) =>
    Promise.all([
      load(bare, { connections, seconds, path: '/answer', headers: sent }),
      load(ours, { connections, seconds, path, headers: sent }),
    ])
  await both(3 * seconds) // warm-up: late JIT compilation would burden the longer path
  const before = await asked()
  const samples: Awaited<ReturnType<typeof both>>[] = []
  for (let round = 0; round < rounds; round++) samples.push(await both(seconds))
  const perSecond = ((await asked()) - before) / (rounds * seconds)
  const ratio = median(samples.map(([alone, own]) => own.perSecond / alone.perSecond))
  const of = (which: 0 | 1, figure: 'perSecond' | 'cpuUs') => median(samples.map((sample) => sample[which][figure]))
  const comparedWith = 'bare Fastify that sends the same bytes'
  figures.push(
    { name, value: ratio, unit: '×', comparedWith, goal: { atLeast: goal } },
    { name: `${name}, requests`, value: of(1, 'perSecond'), unit: '/s' },
    { name: `${name}, CPU`, value: of(1, 'cpuUs'), unit: 'µs' },
    { name: `${name}, CPU of bare Fastify`, value: of(0, 'cpuUs'), unit: 'µs' },
    { name: `${name}, transactions of the whole database`, value: perSecond, unit: '/s' },
  )
}
