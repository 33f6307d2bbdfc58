import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { client } from '@icosa/client'
import { sql } from '@icosa/kernel'
import { children, expireClaims, sized, startTestApp, testNode } from '@icosa/testing'
import { expect, test } from 'vitest'
import { exportsOf } from '../contract.ts'
import { contributionCollection } from '../index.ts'
import { serviceName } from '../names.ts'
import { fill } from './testing/fill.ts'

const run = promisify(execFile)
const contributions = sized(150, 10_000)
/** Size of each file: nightly 5 GB in total, and as much for the zip. The bench uses more. */
const bytes = sized(2 * 2 ** 20, 2 ** 19) + 12_345

async function startWorker(databaseUrl: string, folder: string): Promise<ChildProcess> {
  const worker = fork(new URL('./testing/worker.ts', import.meta.url), [databaseUrl, folder])
  await once(worker, 'message')
  return worker
}

async function peakOf(worker: ChildProcess): Promise<number> {
  const reply = once(worker, 'message')
  worker.send('memory')
  const [megabytes] = await reply
  return Math.round(megabytes as number)
}

test(`an export of ${contributions} contributions resumes after its worker was killed, with bounded memory, and is a valid zip`, {
  timeout: 1_200_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-export-'))
  await using workers = children()
  try {
    await using app = await startTestApp({
      services: [contributionCollection()],
      blobs: testNode([], '', folder).blobs,
    })
    await fill(app.platform, { tenant: 'acme', contributions, bytes, folder })
    const target = {
      baseUrl: `${app.url}/${serviceName}`,
      headers: { authorization: `Bearer ${await app.key('acme')}` },
    }
    const calls = client(exportsOf, target)
    const { body: summary } = await calls.summarizeExport({ query: {} })
    expect(summary).toMatchObject({ contributions, media: contributions, totalMediaSize: contributions * bytes })
    const { body: started } = await calls.createExport({ query: { format: 'original', combined: true, json: true } })

    const parts = () =>
      app.platform.database.many<{ number: number; blob: string }>(sql`
        select number, blob from contribution_collection.export_parts where tenant = 'acme' order by number`)
    const first = workers.add(await startWorker(app.databaseUrl, folder))
    await expect.poll(async () => (await parts()).length, { timeout: 600_000, interval: 20 }).toBeGreaterThan(1)
    const firstPeak = await peakOf(first)
    first.kill('SIGKILL')
    await once(first, 'exit')
    await expireClaims(app.platform.database)
    const before = await parts()
    expect((await calls.getExport({ params: { id: started.id } })).body.finished).toBeUndefined()

    const second = workers.add(await startWorker(app.databaseUrl, folder))
    const current = async () => (await calls.getExport({ params: { id: started.id } })).body
    await expect.poll(async () => (await current()).finished, { timeout: 1_000_000, interval: 200 }).toBeDefined()
    const peak = Math.max(firstPeak, await peakOf(second))
    const after = await parts()
    expect(after.slice(0, before.length), 'existing parts are kept').toEqual(before)

    const { downloadUrl = '' } = await current()
    const path = join(folder, 'export.zip')
    const url = `${app.url}/${serviceName}${downloadUrl.slice(downloadUrl.indexOf('/exports/'))}`
    const response = await fetch(url)
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path))
    expect((await run('unzip', ['-tq', path], { maxBuffer: 2 ** 26 })).stdout).toContain('No errors detected')
    const { stdout: list } = await run('unzip', ['-Z1', path], { maxBuffer: 2 ** 28 })
    expect(list.trim().split('\n')).toHaveLength(2 * contributions + 1)
    console.log(
      `${contributions} contributions, ${Math.round((contributions * bytes) / 2 ** 20)} MiB: killed after ${before.length} of ${after.length} parts, peak memory ${peak} MiB`,
    )
    // 235 if buffers were left to the garbage collector.
    expect(peak).toBeLessThan(225)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
