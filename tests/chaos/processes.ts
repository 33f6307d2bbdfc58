import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createKey, type Database, openDatabase, systemClock } from '@icosa/kernel'
import { children, createTestDatabase, example, type TestDatabase } from '@icosa/testing'
import type { ChaosNode } from './node.ts'

export interface Process {
  readonly child: ChildProcess
  readonly url: string
  readonly metricsUrl: string | undefined
  /** Log lines so far. */
  readonly log: readonly string[]
}

export interface Cell extends AsyncDisposable {
  readonly databaseUrl: string
  readonly database: Database
  readonly key: string
  start(options: NewNode): Promise<Process>
}

export interface NewNode extends Omit<ChaosNode, 'databaseUrl' | 'blobs'> {
  readonly databaseUrl?: string
  /** Clock skew of its machine. */
  readonly aheadMs?: number
}

/** Shifts `Date` before anything of the node is loaded. */
export const importShift = (aheadMs: number) =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const now = Date.now
    globalThis.Date = class extends Date {
      constructor(...given) { given.length > 0 ? super(...given) : super(now() + ${aheadMs}) }
      static now() { return now() + ${aheadMs} }
    }`)}`

/** One database and any number of nodes on it, each a process that can be killed. */
export async function openCell(own?: TestDatabase, tenant = 'ada'): Promise<Cell> {
  const testDatabase = own ?? (await createTestDatabase([example]))
  const blobs = await mkdtemp(join(tmpdir(), 'icosa-chaos-'))
  const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  const { key } = await createKey(database, systemClock, { tenant, name: 'chaos', permissions: ['*'] })
  const processes = children()
  return {
    databaseUrl: testDatabase.url,
    database,
    key,
    async start({ aheadMs, ...options }) {
      const argument = JSON.stringify({ databaseUrl: testDatabase.url, ...options, blobs })
      const stdio = ['ignore', 'inherit', 'pipe', 'ipc'] as const
      const execArgv = aheadMs === undefined ? [] : [importShift(aheadMs)]
      const child = processes.add(
        fork(new URL('node.ts', import.meta.url), [argument], { stdio: [...stdio], execArgv }),
      )
      const log: string[] = []
      if (child.stderr) createInterface(child.stderr).on('line', (line) => log.push(line))
      const died = once(child, 'exit').then(() => Promise.reject(new Error('the node died at its start')))
      const [message] = await Promise.race([once(child, 'message'), died])
      const { url, metricsUrl } = message as Pick<Process, 'url' | 'metricsUrl'>
      return { child, url, metricsUrl, log }
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]()
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
      await rm(blobs, { recursive: true, force: true })
    },
  }
}
