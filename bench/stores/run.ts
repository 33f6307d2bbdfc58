/** Reads one key-value by a signed request, and the same row bare, at the same time on the same core. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configurationStores } from '@icosa/configuration-stores'
import { createTestDatabase } from '@icosa/testing'
import { startStores } from '../../services/configuration-stores/src/testing/app.ts'
import { storeClient } from '../../services/configuration-stores/src/testing/store-client.ts'
import { median } from '../figures.ts'
import { load, startServer } from '../load.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)
const goal = 0.85
const path = '/configuration-stores/stores/bench-store/kv/color?api-version=1.0'

await using database = await createTestDatabase([configurationStores()])
const key = await seed()
const blobs = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
const bare = await startServer(new URL('bare.ts', import.meta.url), [database.url])
const ours = await startServer(new URL('ours.ts', import.meta.url), [database.url, blobs])
const headers = storeClient('', key).signed('GET', ours.url + path)

const samples: { bare: Figures; ours: Figures }[] = []
await both()
for (let round = 1; round <= rounds; round++) samples.push(await both())
for (const { child } of [bare, ours]) child.kill('SIGKILL')
rmSync(blobs, { recursive: true })

const ratio = median(samples.map((one) => one.ours.perSecond / one.bare.perSecond))
const of = (name: 'bare' | 'ours', figure: keyof Figures) => median(samples.map((one) => one[name][figure])).toFixed(0)
console.log('\na key-value by a signed request, 64 connections, median of rounds\n')
console.log('            req/s  CPU us')
for (const name of ['bare', 'ours'] as const)
  console.log([name.padEnd(8), of(name, 'perSecond').padStart(8), of(name, 'cpuUs').padStart(7)].join(' '))
console.log(`\nratio ${ratio.toFixed(2)}, goal ${goal}`)
process.exitCode = ratio >= goal ? 0 : 1

type Figures = Awaited<ReturnType<typeof load>>

async function both() {
  const common = { connections: 64, seconds }
  const [bareFigures, oursFigures] = await Promise.all([
    load(bare, { ...common, path: '/kv/color', headers: {} }),
    load(ours, { ...common, path, headers }),
  ])
  return { bare: bareFigures, ours: oursFigures }
}

async function seed() {
  await using stores = await startStores({ databaseUrl: database.url })
  const store = await stores.open('bench-store', { tenant: 'bench' })
  await store.put('/kv/color', { value: 'red', tags: { team: 'web' } })
  const [primary] = await store.keys()
  if (!primary) throw new Error('the store has no keys')
  return primary
}
