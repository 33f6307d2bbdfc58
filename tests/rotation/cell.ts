import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '@icosa/kernel'
import { operating } from '@icosa/platform'
import { children, createTestDatabase } from '@icosa/testing'
import { requiredIn } from '../../apps/server/src/testing/required.ts'
import { services } from './node.ts'

const cli = fileURLToPath(new URL('../../apps/server/bin/icosa.js', import.meta.url))
const publicUrl = 'http://127.0.0.1:4000'
const asText = (keys: readonly Uint8Array[]) => keys.map((key) => Buffer.from(key).toString('base64'))

export interface Node {
  readonly url: string
  /** Signed URL of a blob with the text 'kept'. */
  readonly blob: string
  stop(): Promise<void>
}

export interface Command {
  readonly child: ChildProcess
  /** Output so far. */
  readonly lines: readonly string[]
  readonly ended: Promise<number | null>
}

export interface Cell extends AsyncDisposable {
  readonly databaseUrl: string
  readonly database: Database
  start(masterKeys: readonly Uint8Array[], port: number): Promise<Node>
  icosa(masterKeys: readonly Uint8Array[], ...words: string[]): Command
}

/** One database, nodes with different master keys, and the operator's command. */
export async function openCell(): Promise<Cell> {
  const testDatabase = await createTestDatabase([...services, operating])
  const blobs = await mkdtemp(join(tmpdir(), 'icosa-rotation-'))
  const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  const processes = children()
  return {
    databaseUrl: testDatabase.url,
    database,
    async start(masterKeys, port) {
      const options = { databaseUrl: testDatabase.url, blobs, port, masterKeys: asText(masterKeys) }
      const child = processes.add(fork(new URL('node.ts', import.meta.url), [JSON.stringify(options)]))
      const exit = once(child, 'exit')
      const died = exit.then(() => Promise.reject(new Error('the node did not start')))
      const [{ url, blob }] = await Promise.race([once(child, 'message'), died])
      return {
        url,
        blob,
        async stop() {
          child.kill('SIGTERM')
          await exit
        },
      }
    },
    icosa(masterKeys, ...words) {
      const settings = {
        ICOSA_MASTER_KEY: asText(masterKeys).join(','),
        ICOSA_BLOBS: blobs,
        ...requiredIn(blobs),
        ICOSA_PUBLIC_URL: publicUrl,
        ICOSA_SQL_SHARED_HOST: 'true',
      }
      const env = { ...process.env, DATABASE_URL: testDatabase.url, ...settings }
      const child = processes.add(spawn(process.execPath, [cli, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
      const lines: string[] = []
      for (const stream of [child.stdout, child.stderr])
        if (stream) createInterface(stream).on('line', (line) => lines.push(line))
      return { child, lines, ended: once(child, 'close').then(([code]) => code as number | null) }
    },
    async [Symbol.asyncDispose]() {
      await processes[Symbol.asyncDispose]()
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
      await rm(blobs, { recursive: true, force: true })
    },
  }
}
