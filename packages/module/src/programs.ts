import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Finding, found, missing, type Need } from './need.ts'

export interface Program {
  /** In words, where several programs do the same. */
  readonly name?: string
  /** Any of them will do; the first that is there counts. */
  readonly names: readonly [string, ...string[]]
  /** With which it says its version. */
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

/** Where a program is on the PATH; undefined if it is not. On Windows its file has an ending, which nobody types. */
export async function programPath(name: string, platform = process.platform): Promise<string | undefined> {
  const files = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name]
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    for (const file of files.map((one) => join(folder, one))) {
      const isThere = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (isThere) return file
    }
  }
  return undefined
}

async function versionOf(file: string, flag: string): Promise<string> {
  const said = await promisify(execFile)(file, [flag], { timeout: 5_000 }).catch(() => ({ stdout: '', stderr: '' }))
  return /\d[\w.~+-]*/.exec(said.stdout || said.stderr)?.[0] ?? ''
}
