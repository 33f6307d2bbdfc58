import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { promisify } from 'node:util'

/** All that a runtime and its helpers see of the node's environment. */
export const plainEnv = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

const execute = promisify(execFile)

export async function command(name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(name, args, { env: plainEnv, cwd: '/', timeout: 30_000, killSignal: 'SIGKILL' })
  return stdout
}

/** Where a command is installed, if it is. */
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
