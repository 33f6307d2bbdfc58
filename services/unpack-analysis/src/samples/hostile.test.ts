import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { shownNeighbours, sized } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startUnpack, type UnpackApp } from '../testing/app.ts'
import { Workshop } from '../testing/build.ts'
import { greedy, withSections } from '../testing/hostile-programs.ts'
import { unpackNeighbours } from '../testing/neighbours.ts'
import { downloader } from '../testing/programs.ts'
import { retentionMs } from './jobs.ts'

const workshop = new Workshop()
const plain = workshop.compile(32, downloader())
const packed = workshop.pack(plain)
// Built before the server starts: compilers block this process.
const samples = Object.entries(greedy).map(([name, build]) => [name, build(workshop, 64)] as const)
let service: UnpackApp
beforeAll(async () => {
  service = await startUnpack({ emulateMs: 700 })
}, 60_000)
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  workshop[Symbol.dispose]()
})

/** Lists all blobs and sandbox files of the service. */
async function allFiles(): Promise<string[]> {
  const { items } = await service.app.platform.blobs.list('unpack-analysis/', { limit: 1_000 })
  const running = readdirSync(service.state, { recursive: true }).map(String)
  return [...items.map(({ key }) => key), ...running.filter((name) => name.includes('/'))]
}

describe('a sample that exceeds a limit is stopped, and the limit is reported', () => {
  test.each(samples)(
    '%s',
    async (_, sample) => {
      const refused = await service.post('/unpack', sample)
      expect(refused.status).toBe(400)
      const { message } = (await refused.json()) as { message: string }
      const reply = await service.post('/emulation-output', sample)
      expect(reply.status).toBe(200)
      const { output } = (await reply.json()) as { output: string[] }
      const text = `${message}\n${output.join('\n')}`
      expect(text).toMatch(/limit was reached|limit ended|was refused|made [\d,]+ calls/)
      expect(text).not.toMatch(/clean|harmless$/)
    },
    120_000,
  )

  test('65,535 sections, claimed or present', async () => {
    const claimed = await service.post('/unpack', withSections(plain, 65_535))
    expect(await claimed.json()).toEqual({ status: 400, message: expect.stringContaining('65,535 sections') })
    const present = Buffer.concat([withSections(plain, 65_535), Buffer.alloc(3_000_000)])
    expect(await (await service.post('/unpack', present)).json()).toEqual({
      status: 400,
      message: expect.stringContaining('at most 512'),
    })
  }, 120_000)

  test('an empty, truncated or too large file', async () => {
    expect((await service.post('/unpack', Buffer.alloc(0))).status).toBe(400)
    expect((await service.post('/unpack', plain.subarray(0, 200))).status).toBe(400)
    expect((await service.post('/unpack', Buffer.alloc(40 * 2 ** 20))).status).toBe(400)
  }, 120_000)
})

test('malicious samples of one sender do not block another', async () => {
  const { quiet, flooded, overtaken } = await unpackNeighbours(sized(20, 400), sized(1, 4))
  console.log(shownNeighbours({ quiet, flooded }))
  // bench/neighbours measures latencies; here, requests must not wait for a sample to end.
  expect(overtaken).toBeLessThan(0.5)
}, 300_000)

test('concurrent requests are answered, and cleaning up leaves nothing', async () => {
  const [, loop] = samples[0] as (typeof samples)[number]
  const slow = [1, 2, 3].map((more) => service.post('/emulation-output', Buffer.concat([loop, Buffer.alloc(more)])))
  for (let round = 0; round < 20; round++)
    expect((await service.post('/unpack', Buffer.from('no program'))).status).toBe(400)
  for (const reply of await Promise.all(slow)) expect(reply.status).toBe(200)
  await fetch(`${service.url}/clean`, { method: 'HEAD' })
  expect(await allFiles()).toEqual([])
}, 120_000)

test('uploads of all senders are deleted after an hour', async () => {
  await service.post('/emulation-output', plain)
  expect((await allFiles()).length).toBeGreaterThan(0)
  await service.app.clock.advance(retentionMs + 1_000)
  await service.app.jobs.drain()
  await expect.poll(allFiles, { timeout: 30_000 }).toEqual([])
}, 120_000)

test('nothing of a sample is executed: only known programs are started while it is emulated', async () => {
  const log = join(workshop.folder, 'trace')
  const trace = spawn('strace', [
    '-f',
    '-qq',
    '-e',
    'trace=execve,execveat,memfd_create',
    '-o',
    log,
    '-p',
    String(process.pid),
  ])
  try {
    await expect.poll(() => isTraced(), { timeout: 30_000 }).toBe(true)
    expect((await service.post('/unpack', packed)).status).toBe(200)
  } finally {
    trace.kill('SIGINT')
    await once(trace, 'exit')
  }
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /exec|memfd/.test(line))
  const started = lines.flatMap((line) => /execve(?:at)?\((?:[^"]*)"([^"]+)"/.exec(line)?.[1] ?? [])
  expect(started).toContain('/node')
  // The shell that enters the control group, the runtime and the engine; by name, since PATH is searched.
  const allowed = new Set(['node', 'sh', 'setpriv', 'bwrap', 'mount', 'umount'])
  expect(started.filter((path) => !allowed.has(basename(path)))).toEqual([])
  expect(lines.filter((line) => line.includes('memfd_create'))).toEqual([])
}, 180_000)

const isTraced = () => /TracerPid:\s*[1-9]/.test(readFileSync('/proc/self/status', 'utf8'))
