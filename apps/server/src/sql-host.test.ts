import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevPostgres } from './dev/postgres.ts'
import { withPlatform } from './node.ts'
import { allServices } from './services.ts'
import { requiredIn } from './testing/required.ts'

// `serve` and `worker` as an operator starts them, with the SQL host on the platform's PostgreSQL and on one of its
// own.
const cli = fileURLToPath(new URL('../bin/icosa.js', import.meta.url))
const opened = new AsyncDisposableStack()
let folder: string
let databaseUrl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-sql-host-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  databaseUrl = opened.use(await createTestDatabase(withPlatform(await allServices(), 'system'))).url
})
afterAll(() => opened.disposeAsync())

/** Its stderr until it is ready or exits. */
async function saidBy(args: readonly string[], settings: NodeJS.ProcessEnv): Promise<string> {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ICOSA_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    ICOSA_BLOBS: folder,
    ...requiredIn(folder),
    ICOSA_PUBLIC_URL: 'https://icosa.example',
    ...settings,
  }
  const child: ChildProcess = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  try {
    for await (const chunk of child.stderr ?? []) {
      output += chunk
      if (/"(Serving|Working)/.test(output)) break
    }
    return output
  } finally {
    child.kill('SIGKILL')
  }
}

test.each([['serve', '--port', '0'], ['worker']])(
  '%s refuses tenants’ databases on the platform’s server unless that is allowed explicitly',
  async (...args) => {
    const refused = await saidBy(args, {})
    expect(refused).toContain('ICOSA_SQL_URL is not set, and ICOSA_SQL_SHARED_HOST is false')
    expect(refused).not.toContain('    at ')

    // The same server under another host name.
    const other = Object.assign(new URL(databaseUrl), { hostname: 'localhost', pathname: '/postgres' }).href
    expect(await saidBy(args, { ICOSA_SQL_URL: other })).toContain('ICOSA_SQL_SHARED_HOST=true')

    expect(await saidBy(args, { ICOSA_SQL_SHARED_HOST: 'true' })).toMatch(/"(Serving|Working)/)
    expect(await saidBy([...args, '--services', 'braille-translation'], {})).toMatch(/"(Serving|Working)/)
  },
  120_000,
)

test('a worker starts with a separate SQL host, even if that host is down', async () => {
  const postgres = await startDevPostgres({ directory: join(folder, 'data'), onProgress: () => {} })
  opened.defer(() => postgres.stop())
  expect(await saidBy(['worker'], { ICOSA_SQL_URL: postgres.url })).toMatch(/"Working/)
  const away = await saidBy(['worker'], { ICOSA_SQL_URL: 'postgres://nobody@127.0.0.1:1/x' })
  expect(away).toMatch(/SQL host could not be reached[\s\S]+"Working/)
})
