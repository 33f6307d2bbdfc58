/**
 * Exports contributions with their files, and copies the same files from blobs to blobs without a zip, on the same
 * machine in the same run. The files are sparse and need no space; the export and the copies do. BENCH_CONTRIBUTIONS
 * is their number (1,000), BENCH_MB the size of each file (2), BENCH_COPIES the number of files copied (all). With
 * BENCH_KILL, the worker is killed midway, another one resumes, and `unzip -t` checks the download.
 * `scripts/postgres run node bench/contributions-export/run.ts`
 */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { blobStore } from '@icosa/blobs'
import { client } from '@icosa/client'
import { contributionCollection } from '@icosa/contribution-collection'
import { exportsOf } from '@icosa/contribution-collection/contract'
import { startTestApp } from '@icosa/testing'
import { fill } from '../../services/contribution-collection/src/exports/testing/fill.ts'
import { type Figure, record } from '../figures.ts'

const contributions = Number(process.env.BENCH_CONTRIBUTIONS ?? 1_000)
const bytes = Math.round(Number(process.env.BENCH_MB ?? 2) * 1_000_000)
const total = contributions * bytes
const folder = await mkdtemp(join(tmpdir(), 'icosa-bench-'))
const copies = Math.min(contributions, Number(process.env.BENCH_COPIES ?? contributions))
const rate = (files: number, seconds: number) => (files * bytes) / 1e6 / seconds

try {
  const service = contributionCollection()
  await using app = await startTestApp({ services: [service], blobs: blobStore({ directory: folder }) })
  const keys = await fill(app.platform, { tenant: 'acme', contributions, bytes, folder })
  const blobs = app.platform.blobsOf(service.name, 'acme')

  const copied = keys.slice(0, copies)
  const copy = async () => {
    const began = performance.now()
    for (const key of copied) await blobs.put(`copy/${key}`, (await blobs.get(key)).body)
    const seconds = (performance.now() - began) / 1_000
    for (const key of copied) await blobs.delete(`copy/${key}`)
    return seconds
  }
  const headers = { authorization: `Bearer ${await app.key('acme')}` }
  const calls = client(exportsOf, { baseUrl: `${app.url}/${service.name}`, headers })
  const startWorker = async () => {
    const path = new URL('../../services/contribution-collection/src/exports/testing/worker.ts', import.meta.url)
    const started = fork(path, [app.databaseUrl, folder])
    await once(started, 'message')
    return started
  }
  let worker = await startWorker()
  const asked = async () => {
    const answer = once(worker, 'message')
    worker.send('memory')
    return Math.round((await answer)[0] as number)
  }
  await delay(1_000)
  const atRest = await asked()

  const before = await copy()
  const began = performance.now()
  const { body } = await calls.createExport({ query: { format: 'original', combined: true } })
  const seen = async () => (await calls.getExport({ params: { id: body.id } })).body
  /** Waits for a progress; throws if it falls below `before`, which means that the export was restarted. */
  const reached = async (least: number, before = 0): Promise<number> => {
    for (;;) {
      const { progress = 0, finished } = await seen()
      if (progress < before) throw new Error(`It was written to ${before}, and is to ${progress} now.`)
      if (finished !== undefined || progress >= least) return progress
      await delay(50)
    }
  }
  let peak = 0
  let killedAt = 0
  const figures: Figure[] = []
  if (process.env.BENCH_KILL) {
    killedAt = await reached(0.5)
    peak = await asked()
    worker.kill('SIGKILL')
    const killed = performance.now()
    worker = await startWorker()
    await reached(killedAt + 1e-9, killedAt)
    figures.push({ name: 'continued after SIGKILL', value: (performance.now() - killed) / 1_000, unit: 's' })
  }
  await reached(Number.POSITIVE_INFINITY, killedAt)
  const seconds = (performance.now() - began) / 1_000
  peak = Math.max(peak, await asked())
  if (process.env.BENCH_KILL) {
    const { downloadUrl = '' } = await seen()
    const answer = await fetch(`${app.url}/${service.name}${downloadUrl.slice(downloadUrl.indexOf('/exports/'))}`)
    const zip = join(folder, 'export.zip')
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(zip))
    execFileSync('unzip', ['-tq', zip], { maxBuffer: 2 ** 26 }) // fails if the archive is damaged
    await rm(zip)
  }
  const after = await copy()
  worker.disconnect()
  const each = (before + after) / 2 / copies
  const name = `export of ${contributions.toLocaleString('en')} contributions, ${(total / 1e9).toFixed(1)} GB`
  record([
    { name, value: (each * contributions) / seconds, unit: '×', comparedWith: 'copying the same blobs' },
    { name: `${name}, throughput`, value: rate(contributions, seconds), unit: 'MB/s' },
    { name: 'copies of the same blobs', value: rate(copies, each * copies), unit: 'MB/s' },
    { name: 'peak memory of the worker', value: peak, unit: 'MiB' },
    { name: 'memory of the idle worker', value: atRest, unit: 'MiB' },
    ...figures,
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}
