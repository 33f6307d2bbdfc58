import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestDatabase, freePort, type ProxyMode, sized, startProxy, type TestDatabase } from '@icosa/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requiredIn } from '../../apps/server/src/testing/required.ts'

const cli = fileURLToPath(new URL('../../apps/server/bin/icosa.js', import.meta.url))
const awayMs = sized(8_000, 60_000)
const drainMs = 1_000

/** Starts `icosa` and waits until it reports that it is ready. */
async function icosa(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const lines: string[] = []
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  if (child.stderr)
    createInterface(child.stderr).on('line', (line) => {
      if (/"(Serving|Working)/.test(line)) resolve()
      else lines.push(line)
    })
  await Promise.race([ready, once(child, 'exit').then(() => Promise.reject(new Error(lines.join('\n'))))])
  return { child, lines }
}

let testDatabase: TestDatabase
let blobs: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  testDatabase = await createTestDatabase([])
  blobs = await mkdtemp(join(tmpdir(), 'icosa-command-'))
  env = {
    ...process.env,
    DATABASE_URL: testDatabase.url,
    ICOSA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    ICOSA_BLOBS: blobs,
    ...requiredIn(blobs),
    ICOSA_DRAIN_MS: String(drainMs),
    ICOSA_SQL_URL: testDatabase.url,
    ICOSA_SQL_SHARED_HOST: 'true',
  }
  await promisify(execFile)(process.execPath, [cli, 'migrate'], {
    env: { ...env, ICOSA_PUBLIC_URL: 'http://127.0.0.1' },
  })
})
afterAll(async () => {
  await testDatabase[Symbol.asyncDispose]()
  await rm(blobs, { recursive: true, force: true })
})

// With all services: each has queues, timers and notifications of its own that use the database.
describe.concurrent.each(['refusing', 'silent'] satisfies ProxyMode[])('the database is %s', (mode) => {
  test.each(['serve', 'worker'])('%s logs little, rarely reconnects and stops in time', async (command) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    await using proxy = await startProxy(testDatabase.url)
    const args = command === 'serve' ? [command, '--port', String(port)] : [command]
    const { child, lines } = await icosa(args, { ...env, ICOSA_PUBLIC_URL: url, DATABASE_URL: proxy.url })
    using _ = { [Symbol.dispose]: () => void child.kill('SIGKILL') }
    const before = { lines: lines.length, attempts: proxy.attempts.length }
    proxy.become(mode)
    if (command === 'serve')
      await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/readyz`).then((answer) => answer.text())))
    await sleep(awayMs)
    const attempts = proxy.attempts.length - before.attempts
    const began = performance.now()
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
    const endedMs = performance.now() - began
    const written = lines.slice(before.lines).filter((line) => !line.includes('"msg":"request"')).length
    console.log(
      `${command}, ${mode}: ${attempts} attempts, ${written} lines in ${awayMs / 1_000} s, ended after ${Math.round(endedMs)} ms`,
    )
    expect(attempts).toBeGreaterThan(0)
    expect(attempts).toBeLessThanOrEqual(awayMs / 1_000 + 4) // a few concurrent ones at first
    expect(written).toBeLessThanOrEqual(100)
    expect(endedMs).toBeLessThanOrEqual(drainMs + 5_000)
  })
})
