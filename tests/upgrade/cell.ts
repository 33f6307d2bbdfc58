import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { children, freePort } from '@icosa/testing'
import { expect } from 'vitest'
import { requiredIn } from '../../apps/server/src/testing/required.ts'
import { createDatabase } from '../../apps/server/src/testkit/database.ts'

export interface Running {
  readonly url: string
  /** Whether a load balancer may send requests to it. */
  readonly isReady: boolean
  stop(): Promise<void>
}

/** An empty database, and processes of any version on it. */
export interface Cell extends AsyncDisposable {
  icosa(cli: string, ...words: string[]): Promise<string>
  start(cli: string, role: 'serve' | 'worker'): Promise<Running>
}

const serverUrl = process.env.DATABASE_URL ?? ''

export async function openCell(folder: string, services: string): Promise<Cell> {
  const database = await createDatabase(serverUrl)
  const processes = children()
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    ICOSA_MASTER_KEY: randomBytes(32).toString('base64'),
    ICOSA_PUBLIC_URL: 'http://127.0.0.1:4000',
    ICOSA_DATA: join(folder, 'data'),
    ICOSA_BLOBS: join(folder, 'blobs'),
    ...requiredIn(folder),
    ICOSA_SQL_URL: serverUrl,
    ICOSA_SQL_SHARED_HOST: 'true',
    ICOSA_DRAIN_MS: '1000',
  }
  return {
    async icosa(cli, ...words) {
      const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words], { env })
      return stdout.trim()
    },
    async start(cli, role) {
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const words = [cli, role, '--port', port, '--services', services]
      const child = processes.add(spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'pipe'] }))
      let output = ''
      child.stderr?.on('data', (piece) => {
        output = `${output}${piece}`.slice(-4_000)
      })
      const exit = once(child, 'exit')
      const readiness = () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => undefined,
        )
      let isReady = false
      await expect
        .poll(async () => child.exitCode !== null || readiness(), { timeout: 300_000, interval: 100 })
        .toBe(true)
      if (child.exitCode !== null) throw new Error(output)
      isReady = true
      return {
        url,
        get isReady() {
          return isReady
        },
        async stop() {
          child.kill('SIGTERM')
          await expect.poll(readiness, { timeout: 60_000, interval: 20 }).not.toBe(true)
          isReady = false // as a load balancer would notice
          const [code] = await exit
          if (code !== 0) throw new Error(`${role} ended with ${code}: ${output}`)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]()
      await database.drop()
    },
  }
}
