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
import { keptMs } from './jobs.ts'

const workshop = new Workshop()
const plain = workshop.compile(32, downloader())
const packed = workshop.pack(plain)
// Built before there is a server: compilers would hold up this process, and so the server in it.
const samples = Object.entries(greedy).map(([name, build]) => [name, build(workshop, 64)] as const)
let service: UnpackApp
beforeAll(async () => {
  service = await startUnpack({ emulateMs: 1_500 })
}, 60_000)
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  workshop[Symbol.dispose]()
})

/** Every file that the service keeps anywhere. */
async function everything(): Promise<string[]> {
  const { items } = await service.app.platform.blobs.list('unpack-analysis/', { limit: 1_000 })
  const running = readdirSync(service.state, { recursive: true }).map(String)
  return [...items.map(({ key }) => key), ...running.filter((name) => name.includes('/'))]
}

describe('a sample that wants too much is stopped, and the answer says by what', () => {
  test.each(samples)(
    '%s',
    async (_, sample) => {
      const refused = await service.post('/unpack', sample)
      expect(refused.status).toBe(400)
      const { message } = (await refused.json()) as { message: string }
      const reply = await service.post('/emulation-output', sample)
      expect(reply.status).toBe(200)
      const { output } = (await reply.json()) as { output: string[] }
      const said = `${message}\n${output.join('\n')}`
      expect(said).toMatch(/limit was reached|limit ended|was refused|made [\d,]+ calls/)
      expect(said).not.toMatch(/clean|harmless$/)
    },
    120_000,
  )

  test('65,535 sections, claimed or there', async () => {
    const claimed = await service.post('/unpack', withSections(plain, 65_535))
    expect(await claimed.json()).toEqual({ status: 400, message: expect.stringContaining('65,535 sections') })
    const there = Buffer.concat([withSections(plain, 65_535), Buffer.alloc(3_000_000)])
    expect(await (await service.post('/unpack', there)).json()).toEqual({
      status: 400,
      message: expect.stringContaining('at most 512'),
    })
  }, 120_000)

  test('a file that is empty, cut off or too large', async () => {
    expect((await service.post('/unpack', Buffer.alloc(0))).status).toBe(400)
    expect((await service.post('/unpack', plain.subarray(0, 200))).status).toBe(400)
    expect((await service.post('/unpack', Buffer.alloc(40 * 2 ** 20))).status).toBe(400)
  }, 120_000)
})

test('what another sender asks for meanwhile is answered', async () => {
  const { quiet, flooded, overtaken } = await unpackNeighbours(sized(40, 400), sized(2, 4))
  console.log(shownNeighbours({ quiet, flooded }))
  // How much longer is for the bench to say, on a machine that does nothing else; here nobody waits for a sample to end.
  expect(overtaken).toBeLessThan(0.5)
}, 300_000)

test('what others ask for meanwhile is answered, and nothing is left once it is cleaned up', async () => {
  const [, loop] = samples[0] as (typeof samples)[number]
  const slow = [1, 2, 3].map((more) => service.post('/emulation-output', Buffer.concat([loop, Buffer.alloc(more)])))
  for (let round = 0; round < 20; round++)
    expect((await service.post('/unpack', Buffer.from('no program'))).status).toBe(400)
  for (const reply of await Promise.all(slow)) expect(reply.status).toBe(200)
  await fetch(`${service.url}/clean`, { method: 'HEAD' })
  expect(await everything()).toEqual([])
}, 120_000)

test('uploads are forgotten after an hour, by whomever they were sent', async () => {
  await service.post('/emulation-output', plain)
  expect((await everything()).length).toBeGreaterThan(0)
  await service.app.clock.advance(keptMs + 1_000)
  await service.app.jobs.drain()
  await expect.poll(everything, { timeout: 30_000 }).toEqual([])
}, 120_000)

test('nothing of a sample is executed: every program that is started while it is emulated is one of the machine or ours', async () => {
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
  // The shell that enters the control group, the runtime, and the engine itself: by name, since a path is searched for each.
  const ours = new Set(['node', 'sh', 'setpriv', 'bwrap', 'mount', 'umount'])
  expect(started.filter((path) => !ours.has(basename(path)))).toEqual([])
  expect(lines.filter((line) => line.includes('memfd_create'))).toEqual([])
}, 180_000)

const isTraced = () => /TracerPid:\s*[1-9]/.test(readFileSync('/proc/self/status', 'utf8'))
