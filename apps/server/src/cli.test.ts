import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '@icosa/kernel'
import { acceptedForMs, createTestDatabase } from '@icosa/testing'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unbuilt } from './services.ts'
import { type Dev, startDev } from './testing/dev.ts'
import { requiredIn } from './testing/required.ts'
import { printedBy } from './testing/shell.ts'

const cli = fileURLToPath(new URL('../bin/icosa.js', import.meta.url))
const run = promisify(execFile)

// Commands run alongside `icosa dev`, in this process except where the test is about the process.
let dev: Dev
let ready: Dev['ready']
const icosa = (...args: string[]) => dev.icosa(...args)
const refused = (args: string[], extra?: NodeJS.ProcessEnv) => dev.refused(args, extra)
const translate = (key: string) =>
  fetch(`${ready.url}/braille-translation/translate/braille?text=x`, { headers: { 'X-Vendor-Api-Secret': key } })

beforeAll(async () => {
  dev = await startDev()
  ready = dev.ready
})
afterAll(() => dev[Symbol.asyncDispose]())

test('dev --json prints the URL and credentials of each service', async () => {
  expect(Number(new URL(ready.url).port), '0 avoids ephemeral ports, which others may take').toBeLessThan(32_768)
  const braille = ready.services.find(({ service }) => service === 'S4')
  expect(braille).toMatchObject({ service: 'S4', name: 'braille-translation', url: `${ready.url}/braille-translation` })
  const { header, key } = braille?.credentials ?? { header: '', key: '' }
  const answer = await fetch(`${braille?.url}/translate/braille?text=hi`, { headers: { [header]: key } })
  expect(await answer.json()).toMatchObject({ contents: { translated: 'hi\r\n' } })
  for (const name of unbuilt) expect((await fetch(`${ready.url}/${name}/x`)).status).toBe(501)
  const rebound = request(`${braille?.url}/translate/braille?text=hi`, {
    headers: { [header]: key, host: 'evil.example' },
  })
  expect((await rebound).statusCode, 'DNS rebinding by a web page').toBe(403)
})

test('keys are created, listed and revoked; a key permits no more than its permissions', async () => {
  const key = await icosa(
    'keys',
    'create',
    '--tenant',
    'ada',
    '--permissions',
    'braille-translation:translateToDisplay',
  )
  expect((await translate(key)).status).toBe(200)
  const dots = await fetch(`${ready.url}/braille-translation/translate/braille/dots?text=x`, {
    headers: { 'X-Vendor-Api-Secret': key },
  })
  expect([dots.status, await dots.text()]).toEqual([
    403,
    expect.stringContaining('braille-translation:translateToDots'),
  ])

  const [listed] = JSON.parse(await icosa('keys', 'list', '--tenant', 'ada', '--json'))
  expect(listed).toMatchObject({ tenant: 'ada', kind: 'key', revokedAt: null })
  expect(await icosa('keys', 'list', '--tenant', 'ada')).toContain('valid')
  expect(await icosa('keys', 'create', '--tenant', 'ada', '--signing', '--expires', '1h')).toMatch(
    /^AKI\w{22} [\w+/=]{40}$/,
  )
  const signing = ['keys', 'create', '--tenant', 'ada', '--signing']
  expect((await printedBy(signing, dev.env)).stderr).toMatch(/for ada, whose account is \d{12}\./)
  await icosa('keys', 'revoke', listed.id)
  expect(await acceptedForMs(async () => (await translate(key)).status === 200)).toBeLessThan(2_000)
  expect(await icosa('keys', 'list', '--tenant', 'ada')).toContain('revoked')
})

test('the clock is moved from the shell and over HTTP, and a running node follows', async () => {
  const { url, credentials } = ready.platform
  const headers = { [credentials.header]: credentials.key, 'content-type': 'application/json' }
  const now = async () => new Date(((await (await fetch(`${url}/clock`, { headers })).json()) as { now: string }).now)
  const year = async (expected: number) => {
    for (let tries = 0; tries < 50; tries++) if ((await now()).getUTCFullYear() === expected) return expected
    return (await now()).getUTCFullYear()
  }
  expect(await icosa('clock', 'set', '2030-01-01T00:00:00Z')).toBe('2030-01-01T00:00:00.000Z')
  expect(await year(2030)).toBe(2030)
  expect(new Date(await icosa('clock', 'advance', '366d')).getUTCFullYear()).toBe(2031)
  const moved = await fetch(`${url}/clock`, {
    method: 'PUT',
    headers,
    body: '{"to":"2040-06-01T00:00:00Z","frozen":true}',
  })
  expect(await moved.json()).toEqual({ now: '2040-06-01T00:00:00.000Z', frozen: true })
  expect(await year(2040)).toBe(2040)
  expect(await icosa('clock')).toBe('2040-06-01T00:00:00.000Z')
  await icosa('clock', 'reset')
  expect(new Date(await icosa('clock')).getUTCFullYear()).toBe(new Date().getUTCFullYear())
  expect(await refused(['clock', 'advance', 'soon'])).toContain('90s or 1h')
})

test('the clock cannot be moved where nodes use the system clock', async () => {
  await using database = await createTestDatabase([])
  const env = { DATABASE_URL: database.url, ICOSA_MASTER_KEY: Buffer.alloc(32).toString('base64') }
  await printedBy(['migrate'], { ...dev.env, ...env })
  for (const move of [['advance', '1h'], ['set', '2030-01-01T00:00:00Z'], ['freeze'], ['reset']])
    expect(await refused(['clock', ...move], env)).toContain('ICOSA_CLOCK=virtual')
})

test('reset deletes the data of services; operations and openapi describe them', async () => {
  const { stderr } = await printedBy(['reset', '--tenant', 'ada', '--yes'], dev.env)
  expect(stderr).toContain('Deleted 0 rows.')
  const all = JSON.parse(await icosa('operations', '--json'))
  expect(all).toContainEqual({
    service: 'S4',
    name: 'braille-translation',
    method: 'GET',
    path: '/translate/braille',
    operationId: 'translateToDisplay',
    success: [200],
    permission: 'braille-translation:translateToDisplay',
    extension: false,
  })
  expect(JSON.parse(await icosa('openapi', 'braille-translation'))).toMatchObject({ openapi: '3.1.0' })
  expect(await icosa('help')).toContain('icosa keys create')
  expect(await icosa('help', 'dev')).toMatch(/^icosa dev \[--port 4000\].*\n +Run everything in one process.*$/)
  expect(JSON.parse(await icosa('operations', 'S4', '--json')).map(({ name }: { name: string }) => name)).not.toContain(
    'backup',
  )
})

test('curated lists and playlists are imported from files', async () => {
  const file = join(dev.folder, 'lists.json')
  const directory = ready.services.find(({ service }) => service === 'S5')
  const { header, key } = directory?.credentials ?? { header: '', key: '' }
  const read = async (path: string) => (await fetch(directory?.url + path, { headers: { [header]: key } })).json()

  await writeFile(
    file,
    JSON.stringify([{ name: 'Own', items: [{ audio: 'https://own.example/a.mp3', title: 'Mine' }] }]),
  )
  expect(await icosa('podcasts', 'playlists', file)).toBe('1 playlists were imported.')
  expect(await read('/playlists')).toMatchObject({ playlists: [{ name: 'Own' }] })

  await writeFile(file, JSON.stringify([{ title: 'For the road', podcasts: ['https://feeds.example/none.xml'] }]))
  expect(await icosa('podcasts', 'lists', file)).toBe('1 curated lists were imported.')
  expect(await read('/curated_podcasts')).toMatchObject({ curated_lists: [{ title: 'For the road', total: 0 }] })

  await writeFile(file, '[{"title": ""}]')
  expect(await refused(['podcasts', 'lists', file])).toContain('0/title')
  await writeFile(file, '<opml/>')
  expect(await refused(['podcasts', 'lists', file])).toContain('The file is not JSON')
})

test('a taken port and an unmigrated database are reported as such', async () => {
  const { port } = new URL(ready.url)
  const absent = join(dev.folder, 'absent')
  expect(await refused(['dev', '--port', port, '--data', absent])).toContain(`Port ${port} is in use`)
  expect(existsSync(absent), 'nothing is left behind').toBe(false)
  await using empty = await createTestDatabase([])
  await dropSchemas(empty.url)
  const settings = {
    DATABASE_URL: empty.url,
    ICOSA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    ICOSA_BLOBS: dev.folder,
    ...requiredIn(dev.folder),
    ICOSA_PUBLIC_URL: 'https://api.example.com',
    ICOSA_SQL_SHARED_HOST: 'true',
  }
  const serve = ['serve', '--port', '0', '--services', 'braille-translation']
  expect(await childRefusal(serve, settings)).toContain('run `icosa migrate`')
})

async function dropSchemas(url: string): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  await database.script('drop schema icosa cascade')
  await database.close()
}

/** Stderr of a command that fails in a process of its own. */
const childRefusal = (args: readonly string[], extra: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [cli, ...args], { env: { ...dev.env, ...extra } }).then(
    () => 'it was not refused',
    (error: { stderr: string }) => error.stderr.trim(),
  )

test('a mistyped command fails with one line', async () => {
  expect(await childRefusal(['nothing'])).toBe("icosa: There is no command 'nothing'. `icosa help` lists them.")
})

test.each([
  [['operatoins'], {}, "mean 'operations'?"],
  [['dev', '--prot', '1'], {}, "There is no option '--prot'. Did you mean '--port'?\nUsage: icosa dev"],
  [['operations', 'bakcup'], {}, "mean 'backup'?"],
  [['help', 'dve'], {}, "mean 'dev'?"],
  [['dev', '--services', 'nothing'], {}, '`icosa operations` lists them'],
  [['dev', '--services', 'podcast-direktory'], {}, "mean 'podcast-directory'?"],
  [['keys', 'list', '--data', '/nonexistent'], {}, 'There is no data in /nonexistent'],
  [['status', '--data', '/nonexistent'], {}, 'name its folder with --data'],
  [['keys', 'create'], {}, 'Add --tenant NAME'],
  [['podcasts', 'lists'], {}, 'Which file?'],
  [['keys', 'create', '--tenant', 'a', '--permissions', 'all'], {}, "'*' or 'backup:List*'"],
  [['keys', 'create', '--tenant', 'a', '--permissions', 'braile-translation:*'], {}, "mean 'braille-translation:*'?"],
  [['token', '--tenant', 'a', '--permissions', 'backup:*,platform:moveClok'], {}, "mean 'platform:moveClock'?"],
  [['keys', 'revoke', 'key_none'], {}, 'was not found'],
  [['serve'], {}, 'ICOSA_PUBLIC_URL is not set'],
  [['worker'], {}, 'ICOSA_BACKUP_REPOSITORIES is not set'],
  [['worker', '--services', 'S4'], {}, '4 settings'],
  [['serve', '--services', 'K'], {}, 'DATABASE_URL is not set'],
  [['worker'], { ICOSA_MACHINES: 'true' }, 'ICOSA_MACHINES_FOLDER is not set, and ICOSA_MACHINES is true'],
  [['serve'], { ICOSA_HSM_KEEPS: 'library', ICOSA_VOICE_CALLS: 'many' }, 'ICOSA_HSM_LIBRARY is not set'],
  [['dev', '--host', '0.0.0.0'], {}, 'Set ICOSA_PUBLIC_URL'],
  [['serve'], { ICOSA_PUBLIC_URL: 'api.example.com' }, 'such as https://api.example.com'],
  [['serve'], { ICOSA_TRUST_PROXY: 'true' }, 'set ICOSA_TRUSTED_PROXIES'],
  [['serve'], { ICOSA_PUBLIC_URL: 'https://api.example.com' }, 'openssl rand -base64 32'],
  [['serve'], { ICOSA_PORT: 'high' }, 'set it to a whole number'],
  [['serve'], { ICOSA_MASTER_KEY: 'short' }, '32 bytes in base64'],
  [['serve'], { ICOSA_CLOCK: 'sun' }, 'system or virtual'],
  [['serve'], { ICOSA_BLOBS: 's3://' }, 'it names no bucket'],
  [['serve'], { ICOSA_CLOCK: 'sun', ICOSA_VOICE_RATE: 'fast' }, 'ICOSA_VOICE_RATE'],
  [['serve'], { ICOSA_RATE_LIMIT: 'many' }, '100/200'],
  [['worker'], { ICOSA_RETENTION: '30' }, '{"job_scheduler.history":90}'],
  [['worker'], { ICOSA_RETENTION: '{"icosa.operations":0}' }, '{"job_scheduler.history":90}'],
  [['serve'], { ICOSA_SUBSCRIPTIONS: 'any' }, 'bind or first'],
  [['dev', '--port', 'high'], {}, 'give it a whole number, such as 4000'],
  [['migrate'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, 'No server is listening at DATABASE_URL'],
  [['reset'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, 'add --yes'],
])('a mistake is reported with advice and without a stack: %j %j', async (args, extra, expected) => {
  // An instance already runs here and locks its folder.
  const elsewhere = { ICOSA_DATA: join(dev.folder, 'other') }
  const message = await refused(args, { ...extra, ...(args[0] === 'dev' && elsewhere) })
  expect(message).toContain(expected)
  expect(message).not.toContain('    at ')
})

test('a wrong retention period is refused before tables are created', async () => {
  await using empty = await createTestDatabase([])
  const settings = { DATABASE_URL: empty.url, ICOSA_RETENTION: '{"icosa.tenants":30}' }
  const start = ['dev', '--port', '0', '--data', join(dev.folder, 'other'), '--services', 'podcast-directory']
  const message = await childRefusal(start, settings)
  expect(message).toContain('podcast_directory.searches,')
  expect(message).not.toContain('    at ')
  expect(message).not.toContain('migrations applied')
})
