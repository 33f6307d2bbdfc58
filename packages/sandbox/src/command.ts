import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { promisify } from 'node:util'

/** Environment of a runtime and its helpers, instead of the node's. */
export const plainEnv = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

const execute = promisify(execFile)

export async function command(name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(name, args, { env: plainEnv, cwd: '/', timeout: 30_000, killSignal: 'SIGKILL' })
  return stdout
}

/** Path of an installed command. */
export function installed(name: string): string | undefined {
  for (const folder of plainEnv.PATH.split(':')) {
    const file = `${folder}/${name}`
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {}
  }
  return undefined
}
