import { execFile } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { isRootless } from '@icosa/sandbox'

/** A program that runs functions, or the reason why it is missing. */
export type Program = { readonly path: string; readonly version: string } | Missing

interface Missing {
  readonly problem: string
}

export const isMissing = (program: Program): program is Missing => 'problem' in program

const execute = promisify(execFile)

async function output(path: string, args: readonly string[]): Promise<string | undefined> {
  return await execute(path, args, { cwd: '/', env: {}, timeout: 30_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
}

/**
 * Returns the file or folder on the path of a program that the sandbox's user cannot access. Without root, the node's user opens
 * files.
 */
async function inaccessible(path: string): Promise<string | undefined> {
  if (isRootless()) return undefined
  const { mode } = await stat(path)
  if ((mode & 0o005) !== 0o005) return path
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder))
    if (((await stat(folder)).mode & 0o001) === 0) return folder
  return undefined
}

/** The configured binary, else that of this process or an installed one. */
export async function findNode(major: number, configured?: string): Promise<Program> {
  const places = [`/usr/local/bin/node${major}`, `/usr/bin/node${major}`, `/opt/node${major}/bin/node`, '/usr/bin/node']
  const candidates = configured === undefined ? [process.execPath, ...places] : [configured]
  for (const candidate of candidates) {
    const path = await realpath(candidate).catch(() => undefined)
    const version = path && (await output(path, ['--version']))
    if (path && version?.startsWith(`v${major}.`)) {
      const obstacle = await inaccessible(path)
      if (obstacle === undefined) return { path, version: version.slice(1) }
      return {
        problem: `Node ${major} is at '${path}', but the sandbox's user cannot access '${obstacle}': move it, or run chmod o+rx '${obstacle}'.`,
      }
    }
    if (configured !== undefined)
      return { problem: `'${configured}' is not Node ${major}: it ${version ? `is ${version}` : 'cannot be run'}.` }
  }
  return {
    problem: `Node ${major} is not installed: unpack it from https://nodejs.org/dist/latest-v${major}.x/ to /opt/node${major}, or set the path of its binary.`,
  }
}

/** Debian's own, with Debian's Flask: other installations may change. */
export async function findPython(minor: string): Promise<Program> {
  const install = 'Install it (Debian 12: apt-get install python3 python3-flask).'
  const path = await realpath(`/usr/bin/python${minor}`).catch(() => undefined)
  const version = path && (await output(path, ['-c', 'import platform; print(platform.python_version())']))
  if (!path || !version) return { problem: `Python ${minor} is not installed. ${install}` }
  const flask = await output(path, ['-B', '-I', '-c', 'import flask'])
  return flask === undefined ? { problem: `Flask for Python ${minor} is not installed. ${install}` } : { path, version }
}
