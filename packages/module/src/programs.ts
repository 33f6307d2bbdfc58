import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Finding, found, missing, type Need } from './need.ts'

export interface Program {
  /** For several equivalent programs. */
  readonly name?: string
  /** Equivalent programs; the first one found is used. */
  readonly names: readonly [string, ...string[]]
  /** Flag that prints the version. */
  readonly versionFlag?: string
}

/** A program that must be on the PATH. */
export function programNeed(
  { names, name = names[0], versionFlag = '--version' }: Program,
  rest: Omit<Need, 'name' | 'check'>,
): Need {
  return { ...rest, name, check: () => find(names, versionFlag) }
}

async function find(names: readonly string[], versionFlag: string): Promise<Finding> {
  for (const name of names) {
    const file = await programPath(name)
    if (file) return found(`${file} ${await versionOf(file, versionFlag)}`.trim())
  }
  return missing(`${names.join(', ')}: not on the PATH`)
}

/** Path of a program; undefined if it is not on the PATH. On Windows, its file has an extension. */
export async function programPath(name: string, platform = process.platform): Promise<string | undefined> {
  const files = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name]
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    for (const file of files.map((name) => join(folder, name))) {
      const isExecutable = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (isExecutable) return file
    }
  }
  return undefined
}

async function versionOf(file: string, flag: string): Promise<string> {
  const output = await promisify(execFile)(file, [flag], { timeout: 5_000 }).catch(() => ({ stdout: '', stderr: '' }))
  return /\d[\w.~+-]*/.exec(output.stdout || output.stderr)?.[0] ?? ''
}
