import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { examine, remedyOf } from './examine.ts'

const cli = fileURLToPath(new URL('../../bin/icosa.js', import.meta.url))

/** The command on a machine with nothing on its PATH. */
async function bareDoctor(...args: string[]) {
  const { DATABASE_URL: _, ...env } = process.env
  const options = { env: { ...env, PATH: '/nonexistent' } }
  return promisify(execFile)(process.execPath, [cli, 'doctor', ...args], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  )
}

test('missing programs are listed with installation commands, and the exit code is 1', async () => {
  const { code, stdout } = await bareDoctor('--services', 'voice-messaging')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^voice-messaging +espeak-ng +MISSING +espeak-ng: not on the PATH$/m)
  expect(stdout).toMatch(/^voice-messaging +SIP trunk +optional +ICOSA_VOICE_TRUNK is not set$/m)
  expect(stdout).toMatch(
    /^espeak-ng: speaks the messages\.\n +Debian, Ubuntu +sudo apt install espeak-ng\n +macOS +brew install espeak-ng\n +Windows +winget install/m,
  )
  expect(stdout).toMatch(/^sandbox \(optional\): /m)
  expect(stdout).toMatch(/\nMissing: 1\.\n$/)
  expect(stdout, 'a need of another service').not.toContain('liblouis')
})

test('missing optional needs do not cause failure; --json prints JSON', async () => {
  const { code, stdout } = await bareDoctor('--services', 'S1', '--json')
  expect(code).toBe(0)
  const all = JSON.parse(stdout)
  expect(all).toContainEqual(expect.objectContaining({ service: 'platform', need: 'Node', isThere: true }))
  expect(all).toContainEqual(
    expect.objectContaining({
      need: 'mail server',
      isThere: false,
      isOptional: true,
      detail: 'ICOSA_SMTP_URL is not set',
    }),
  )
})

const env = { DATABASE_URL: testServerUrl, ICOSA_BLOBS: import.meta.dirname }
const found = async (more: NodeJS.ProcessEnv, services: string) => {
  const all = await examine(readConfig({ ...env, ...more }), services)
  return (name: string) => all.find(({ need }) => need === name)
}

test('connections to PostgreSQL, the SQL host and the blob store are checked', async () => {
  const good = await found({ ICOSA_SQL_URL: testServerUrl }, 'Q')
  expect(good('PostgreSQL')).toMatchObject({ isThere: true, detail: expect.stringMatching(/^PostgreSQL \d+/) })
  expect(good('SQL host')).toMatchObject({ isThere: true, detail: expect.stringMatching(/^PostgreSQL \d+/) })
  expect(good('blob store')).toMatchObject({ isThere: true, detail: import.meta.dirname })

  const nobody = 'postgres://me:hidden@127.0.0.1:1/x'
  const bad = await found({ DATABASE_URL: nobody, ICOSA_SQL_URL: nobody, ICOSA_BLOBS: `${cli}/blobs` }, 'Q')
  for (const name of ['PostgreSQL', 'SQL host'])
    expect(bad(name)).toMatchObject({ isThere: false, detail: expect.stringContaining('127.0.0.1:1') })
  expect(bad('blob store')).toMatchObject({ isThere: false, detail: expect.stringContaining('ENOTDIR') })
  expect(JSON.stringify(bad('PostgreSQL'))).not.toContain('hidden')
  expect((await found({ ICOSA_BLOBS: '' }, 'Q'))('blob store')).toMatchObject({ detail: 'ICOSA_BLOBS is not set' })
})

test('connections to the configured brokers and mail servers are checked', async () => {
  const closed = {
    ICOSA_EVENT_TARGETS: '{"sns:*":"nats://127.0.0.1:1","lambda:*":"https://functions.example.com"}',
    ICOSA_QUEUE_URL: 'amqp://127.0.0.1:1',
    ICOSA_SMTP_URL: 'smtp://me:hidden@127.0.0.1:1',
  }
  const bad = await found(closed, 'J,S1,T')
  for (const name of ['broker of queues', 'mail server', 'brokers of targets'])
    expect(bad(name)).toMatchObject({ isThere: false, detail: '127.0.0.1:1 does not answer (ECONNREFUSED)' })
  const { port } = new URL(testServerUrl)
  const open = await found({ ICOSA_SMTP_URL: `smtp://127.0.0.1:${port}` }, 'S1')
  expect((await found({}, 'T'))('brokers of targets')).toMatchObject({ isThere: true, detail: 'none is set' })
  expect(open('mail server')).toMatchObject({ isThere: true, detail: `127.0.0.1:${port}` })
})

test('liblouis is reported with its version and number of tables', async () => {
  expect((await found({}, 'S4'))('liblouis')).toMatchObject({
    isThere: true,
    detail: expect.stringMatching(/^\d+\.\d+\S* with \d+ tables$/),
  })
})

test('every need has installation instructions for Windows, at least within WSL', async () => {
  const all = await examine(readConfig({}), undefined)
  const lines = all.flatMap(({ remedy }) => (typeof remedy === 'string' ? [] : [remedyOf(remedy)[2] ?? '']))
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter((line) => !/^Windows +(winget install|in WSL 2: |put the folder) ?\S/.test(line))).toEqual([])
  expect(lines).toContainEqual(expect.stringMatching(/^Windows +in WSL 2: sudo apt install/))
})
