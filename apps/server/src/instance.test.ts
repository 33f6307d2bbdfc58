import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { lstat, readdir, writeFile } from 'node:fs/promises'
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

/** Files and folders below a folder that other users of the machine can read or list. */
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

/** Runs a command in a terminal made by `script`; answers its prompt, and returns its output. */
async function inTerminal(words: string, typed: string): Promise<string> {
  const shell = spawn('script', ['-qec', `'${process.execPath}' '${bin}' ${words}`, '/dev/null'], { env: dev.env })
  let seen = ''
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk
    if (chunk.includes('[y/N]')) shell.stdin.write(typed)
  })
  await once(shell, 'close')
  return seen
}

test('the log shows requests in readable form, by service, only the latest, or as raw JSON', async () => {
  const service = dev.ready.services.find(({ name }) => name === 'braille-translation')
  const { header = '', key = '' } = service?.credentials ?? {}
  for (const text of ['one', 'two'])
    await fetch(`${service?.url}/translate/braille?text=${text}`, { headers: { [header]: key } })
  await fetch(`${service?.url}/translate/braille?text=x`)
  const line = (status: number) =>
    expect.stringMatching(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d braille-translation:translateToDisplay ${status} [\\d.]+ ms$`),
    )
  const of = async (...flags: string[]) =>
    (await dev.icosa('logs', '--service', 'braille-translation', ...flags)).split('\n')
  expect((await of()).slice(-3)).toEqual([line(200), line(200), line(401)])
  expect(await of('--tail', '1')).toEqual([line(401)])
  expect(JSON.parse((await of('--tail', '1', '--json')).join())).toMatchObject({
    level: 30,
    status: 401,
    msg: 'request',
  })
  expect(await dev.refused(['logs', '--service', 'bakcup'])).toContain("Did you mean 'backup'?")
})

test('a reset in a terminal asks for confirmation with a count; elsewhere it requires --yes', async () => {
  const { folder } = dev
  expect(await dev.refused(['reset'])).toMatch(
    /delete the data of all services in \S+, and there is no terminal to confirm it: add --yes/,
  )
  const question = new RegExp(`Delete [\\d,]+ rows of 1 service in ${folder}, with their blobs\\? \\[y/N\\]`)
  const refused = await inTerminal('reset', 'n\n')
  expect(refused).toMatch(question)
  expect(refused).toContain('Nothing was deleted.')
  expect(await inTerminal('reset', 'y\n')).toMatch(/Deleted \d+ rows/)
})

test('an error about a missing snapshot names the existing ones', async () => {
  await dev.icosa('snapshot', 'save', 'before')
  expect(await dev.refused(['snapshot', 'restore', 'befor'])).toBe(
    "There is no snapshot 'befor'. Did you mean 'before'? There are: before.",
  )
})

test('another shell shows its address and log, and stops it; the next start reuses the database port', async () => {
  const { env, ready, folder } = dev
  const status = JSON.parse(await dev.icosa('status', '--json'))
  const startedAt = expect.any(String)
  expect(status, 'no control token').toEqual({ url: ready.url, isReady: true, pid: expect.any(Number), startedAt })
  expect(await dev.icosa('status', '--all')).toMatch(/\/braille-translation +X-Vendor-Api-Secret: icosa-dev-key\n/)
  const { ICOSA_DATA: _, ...bare } = env
  const elsewhere = await run(process.execPath, [cli, 'status', '--data', folder], { env: bare })
  expect(elsewhere.stdout).toContain(`Icosa is ready at ${ready.url}`)
  expect(await dev.icosa('logs')).toContain('"url"')
  const address = await runningDevPostgres(folder)

  await dev.icosa('stop')
  expect(await dev.refused(['status'])).toContain('No `icosa dev` is running')
  expect(await runningDevPostgres(folder)).toBeUndefined()
  await dev.icosa('keys', 'list') // starts the database temporarily
  const again = spawn(process.execPath, [cli, 'dev', '--port', '0', '--services', 'S4'], { env, stdio: 'ignore' })
  await expect.poll(() => dev.refused(['status'])).toBe('it was not refused')
  expect(await runningDevPostgres(folder)).toBe(address)
  again.kill('SIGKILL')
  await expect.poll(() => dev.refused(['status'])).toContain('No `icosa dev` is running')
  await dev.icosa('keys', 'list') // the last user of the database stops it
  expect(await runningDevPostgres(folder)).toBeUndefined()
})

test('--detach returns when it is ready; a second instance and a failing start are errors; a killed one does not block', async () => {
  const child = async (...words: string[]) => (await run(process.execPath, [bin, ...words], { env: dev.env })).stdout
  const start = ['dev', '--detach', '--port', '0', '--services', 'braille-translation', '--tls']
  const [url = ''] = /https:\S+\d/.exec(await child(...start)) ?? []
  const { pid, isReady } = JSON.parse(await child('status', '--json'))
  expect(isReady).toBe(true)
  const { port } = new URL(url)
  for (const second of [start, ['dev', '--port', '0'], ['dev', '--port', port]])
    expect(await dev.refused(second)).toContain(`Icosa already runs here at ${url} (process ${pid}): \`icosa stop\``)
  expect(await dev.icosa('status'), 'the first is not disturbed').toContain(`Icosa is ready at ${url}`)
  const logs = await dev.icosa('logs')
  expect(logs.match(new RegExp(`Icosa is ready at ${url}`, 'g')), 'each line is in the log once').toHaveLength(1)
  expect((await fetch(`${url}/readyz`)).status, '`status` trusts the authority in this process').toBe(200)
  await dev.icosa('stop')
  await expect(fetch(`${url}/readyz`)).rejects.toThrow()
  const misspelt = ['dev', '--detach', '--services', 'braile-translation']
  await expect(child(...misspelt)).rejects.toThrow(/^icosa: There is no service 'braile-translation'/m)

  // Simulates a killed process whose id was reused.
  const claim = join(dev.folder, 'claim.json')
  expect(existsSync(claim)).toBe(false)
  await writeFile(claim, JSON.stringify({ pid: process.pid, start: '1', url: 'http://127.0.0.1:1' }))
  const again = spawn(process.execPath, [cli, 'dev', '--port', '0', '--services', 'S4'], {
    env: dev.env,
    stdio: 'ignore',
  })
  await expect.poll(() => dev.refused(['status'])).toBe('it was not refused')
  const exit = once(again, 'exit')
  again.kill('SIGINT')
  await exit
})

test('--version prints the version; a closed pipe is no error', async () => {
  expect((await run(process.execPath, [cli, '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { stdout, stderr } = await run('sh', ['-c', `'${process.execPath}' '${cli}' operations --json | head -c 1`])
  expect([stdout, stderr]).toEqual(['[', ''])
})

test('an outdated Node is reported in one line', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } })"
  const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, '--version']
  const refused = await run(process.execPath, args).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'icosa: Node.js 24 or newer is required, but this is 20.11.1: see https://nodejs.org.\n',
  })
})
