import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Account } from '@icosa/module'

const cli = fileURLToPath(new URL('../../bin/icosa.js', import.meta.url))
const run = promisify(execFile)
const { DATABASE_URL: _, ...bare } = process.env

interface Ready {
  readonly url: string
  readonly services: { service: string; name: string; url: string; credentials: { header: string; key: string } }[]
  readonly platform: { url: string; credentials: { header: string; key: string } }
}

/** `icosa dev` as a person at a shell has it: its own process, its own data folder, its own database. */
export interface Dev extends AsyncDisposable {
  readonly ready: Ready
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Runs another command beside it and answers what it printed. */
  icosa(...args: string[]): Promise<string>
  /** What a command that ends in an error says. */
  refused(args: string[], extra?: NodeJS.ProcessEnv): Promise<string>
}

export const startDev = (...flags: string[]): Promise<Dev> => startDevAs({}, ...flags)

export interface DevOptions {
  /** Another user of the machine. */
  readonly account?: Account | undefined
  /** Settings beside those of this process. */
  readonly settings?: Readonly<Record<string, string>>
}

/** The same as another user, or with other settings. */
export async function startDevAs({ account, settings }: DevOptions, ...flags: string[]): Promise<Dev> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-dev-'))
  await chmod(folder, 0o711) // as root's programs run under other users, who pass through it
  if (account) await chown(folder, account.uid, account.gid)
  const env = { ...bare, ...settings, ICOSA_DATA: folder, ...(account && { HOME: folder }) }
  const args = [cli, 'dev', '--port', '0', '--json', ...flags]
  const dev = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'], ...account })
  if (!dev.stdout) throw new Error('no output')
  const [line] = await once(createInterface(dev.stdout), 'line')
  return {
    ready: JSON.parse(String(line)),
    folder,
    env,
    icosa: async (...words) => (await run(process.execPath, [cli, ...words], { env, ...account })).stdout.trim(),
    refused: (words, extra = {}) =>
      run(process.execPath, [cli, ...words], { env: { ...env, ...extra }, ...account }).then(
        () => 'it was not refused',
        (error: { stderr: string }) => error.stderr.trim(),
      ),
    async [Symbol.asyncDispose]() {
      if (dev.exitCode === null) {
        const gone = once(dev, 'exit')
        dev.kill('SIGINT')
        await gone
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
