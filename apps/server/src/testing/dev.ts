import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Account } from '@icosa/module'
import { refusalOf, shellOf } from './shell.ts'

const cli = fileURLToPath(new URL('../../bin/icosa.js', import.meta.url))
const { DATABASE_URL: _, ...bare } = process.env

interface Ready {
  readonly url: string
  readonly services: { service: string; name: string; url: string; credentials: { header: string; key: string } }[]
  readonly platform: { url: string; credentials: { header: string; key: string } }
}

/** `icosa dev` as started from a shell, with its own process, data folder and database. */
export interface Dev extends AsyncDisposable {
  readonly ready: Ready
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Runs another command alongside it, in the process of the test; returns its stdout. */
  icosa(...args: string[]): Promise<string>
  /** Runs a command that must fail, in the process of the test; returns its error message. */
  refused(args: string[], extra?: NodeJS.ProcessEnv): Promise<string>
}

export const startDev = (...flags: string[]): Promise<Dev> => startDevAs({}, ...flags)

export interface DevOptions {
  /** Account to run as. */
  readonly account?: Account | undefined
  /** Settings in addition to those of this process. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts `icosa dev` as another user, or with other settings. */
export async function startDevAs({ account, settings }: DevOptions, ...flags: string[]): Promise<Dev> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-dev-'))
  await chmod(folder, 0o711) // programs that root starts as other users traverse it
  if (account) await chown(folder, account.uid, account.gid)
  const env = { ...bare, ...settings, ICOSA_DATA: folder, ...(account && { HOME: folder }) }
  const args = [cli, 'dev', '--port', '0', '--json', ...flags]
  const dev = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'], ...account })
  if (!dev.stdout) throw new Error('no output')
  const lines = createInterface(dev.stdout)
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  if (line === undefined) throw new Error('`icosa dev` ended before it was ready; its error is above.')
  return {
    ready: JSON.parse(String(line)),
    folder,
    env,
    icosa: shellOf(env),
    refused: (words, extra = {}) => refusalOf(words, { ...env, ...extra }),
    async [Symbol.asyncDispose]() {
      if (dev.exitCode === null) {
        const exit = once(dev, 'exit')
        dev.kill('SIGINT')
        await exit
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
