import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@icosa/testing'
import { requiredIn } from './required.ts'
import { printedBy } from './shell.ts'

const cli = fileURLToPath(new URL('../../bin/icosa.js', import.meta.url))

/** A node in a process of its own. */
export interface OperatedNode {
  readonly url: string
  /** Its stderr so far. */
  said(): string
  stop(): Promise<void>
}

/** An operator's shell, with a database and a master key. */
export interface Operator extends AsyncDisposable {
  start(command: 'dev' | 'serve' | 'worker', ...flags: string[]): Promise<OperatedNode>
  /** Runs a command in the process of the test; returns its stdout and stderr. */
  icosa(...args: string[]): Promise<string>
}

/** Opens a shell with a data folder of its own. */
export async function operatorOf(databaseUrl: string, settings: NodeJS.ProcessEnv = {}): Promise<Operator> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-operator-'))
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ICOSA_DATA: folder,
    ICOSA_BLOBS: join(folder, 'blobs'),
    ...requiredIn(folder),
    ICOSA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    ICOSA_DRAIN_MS: '0',
    ...settings,
  }
  const running = new Set<OperatedNode>()
  return {
    async start(command, ...flags) {
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const child = spawn(process.execPath, [cli, command, '--port', port, ...flags], {
        env: command === 'dev' ? env : { ...env, ICOSA_PUBLIC_URL: url },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let output = ''
      child.stderr.on('data', (piece) => {
        output += piece
      })
      const exit = once(child, 'exit')
      const node: OperatedNode = {
        url,
        said: () => output,
        async stop() {
          running.delete(node)
          child.kill('SIGTERM')
          await exit
        },
      }
      running.add(node)
      const isReady = () =>
        fetch(`${url}/readyz`)
          .then((answer) => answer.ok)
          .catch(() => false)
      while (!(await isReady())) {
        if (child.exitCode !== null) throw new Error(output)
        await sleep(50)
      }
      return node
    },
    async icosa(...args) {
      const { stdout, stderr } = await printedBy(args, env)
      return `${stdout}\n${stderr}`.trim()
    },
    async [Symbol.asyncDispose]() {
      for (const node of running) await node.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
