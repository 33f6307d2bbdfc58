import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningDevPostgres } from './dev/postgres.ts'
import { type Dev, startDev } from './testing/dev.ts'

const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
const bin = fileURLToPath(new URL('../bin/icosa.js', import.meta.url))
const run = promisify(execFile)

let dev: Dev
beforeAll(async () => {
  const before = process.umask(0)
  dev = await startDev('--services', 'braille-translation,contribution-collection').finally(() => process.umask(before))
})
afterAll(() => dev[Symbol.asyncDispose]())

/** Files and folders below one that other users of the machine can read, or list. */
async function readableByOthers(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      const { mode } = await lstat(path)
      if (entry.isSymbolicLink() || entry.isSocket()) return []
      const isEntered = entry.isDirectory() && (mode & 0o011) !== 0
      return [...((mode & 0o044) === 0 ? [] : [path]), ...(isEntered ? await readableByOthers(path) : [])]
    }),
  )
  return found.flat()
}

test('nothing in the data folder can be read by other users of the machine', async () => {
  const { folder, ready } = dev
  const service = ready.services.find(({ name }) => name === 'contribution-collection')
  const headers = { authorization: String(service?.credentials.key), 'content-type': 'image/png' }
  const body = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  )
  const sent = await fetch(`${service?.url}/media`, { method: 'POST', headers, body })
  expect(sent.status).toBeLessThan(300)
  expect((await readdir(folder)).toSorted()).toEqual(expect.arrayContaining(['blobs', 'icosa.log']))
  expect(await readableByOthers(folder)).toEqual([])
})

test('another shell finds out where it runs and what it has said, and stops it; the next one has the same database port', async () => {
  const { env, ready, folder } = dev
  const status = JSON.parse(await dev.icosa('status', '--json'))
  expect(status).toMatchObject({ url: ready.url, isReady: true, pid: expect.any(Number) })
  const { ICOSA_DATA: _, ...bare } = env
  const elsewhere = await run(process.execPath, [cli, 'status', '--data', folder], { env: bare })
  expect(elsewhere.stdout).toContain(`Icosa is ready at ${ready.url}`)
  expect(await dev.icosa('logs')).toContain('"url"')
  const address = await runningDevPostgres(folder)

  await dev.icosa('stop')
  expect(await dev.refused(['status'])).toContain('No `icosa dev` is running')
  expect(await runningDevPostgres(folder)).toBeUndefined()
  await dev.icosa('keys', 'list') // starts the database for as long as it needs it
  const again = spawn(process.execPath, [cli, 'dev', '--port', '0', '--services', 'S4'], { env, stdio: 'ignore' })
  await expect.poll(() => dev.refused(['status'])).toBe('it was not refused')
  expect(await runningDevPostgres(folder)).toBe(address)
  again.kill('SIGKILL')
  await expect.poll(() => dev.refused(['status'])).toContain('No `icosa dev` is running')
  await dev.icosa('keys', 'list') // the last to use the database ends it
  expect(await runningDevPostgres(folder)).toBeUndefined()
})

test('a taken port is said before anything starts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-port-'))
  const taken = await startDev('--services', 'braille-translation')
  const { port } = new URL(taken.ready.url)
  expect(await taken.refused(['dev', '--port', port, '--data', folder])).toContain(`Port ${port} is in use`)
  expect(existsSync(join(folder, 'postgres'))).toBe(false)
  expect(await readdir(folder)).not.toContain('instance.json')
  await taken[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('the version, and a reader who leaves early', async () => {
  expect((await run(process.execPath, [cli, '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { stdout, stderr } = await run('sh', ['-c', `'${process.execPath}' '${cli}' operations --json | head -c 1`])
  expect([stdout, stderr]).toEqual(['[', ''])
})

test('a Node that is too old is told so in one line', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } })"
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, '--version']
  const refused = await run(process.execPath, args).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'icosa: Node.js 24 or newer is needed, and this is 20.11.1: see https://nodejs.org.\n',
  })
})
