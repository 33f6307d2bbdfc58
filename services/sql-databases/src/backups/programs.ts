import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { readProgram, runProgram } from '@icosa/compute'
import { Failure } from '@icosa/kernel'
import type { SignIn } from '../host/host.ts'
import { remedyFor } from './carried.ts'

/** No deadline: jobs have deadlines of their own. */
const deadlineMs = 2 ** 31 - 1

interface Program {
  readonly path: string
  readonly major: number
}

/**
 * Finds the program of the server's version, or else of the next one: an older one refuses, and a much newer one may use
 * features that the server lacks.
 */
export async function programFor(name: 'pg_dump' | 'pg_restore', major: number, folder: string | undefined) {
  const candidates = await programsNamed(name, folder)
  return candidates.filter((program) => program.major >= major).sort((a, b) => a.major - b.major)[0]?.path
}

/** Finds the server program: only the same version can open its data. `also` is another folder to search. */
export async function serverProgramFor(major: number, folder: string | undefined, also: string | undefined) {
  const own = also === undefined ? [] : await programsNamed('postgres', also)
  return [...own, ...(await programsNamed('postgres', folder))].find((program) => program.major === major)?.path
}

async function programsNamed(name: string, folder: string | undefined): Promise<Program[]> {
  const folders = folder === undefined ? ['', ...(await defaultFolders())] : [folder]
  const programs = await Promise.all(folders.map((parent) => versionOf(parent === '' ? name : join(parent, name))))
  return programs.filter((program) => program !== undefined)
}

/** Folders of each version's programs on Debian, Red Hat and Homebrew. */
async function defaultFolders(): Promise<string[]> {
  const parents: readonly [string, (name: string) => string | undefined][] = [
    ['/usr/lib/postgresql', (name) => `${name}/bin`],
    ['/usr', (name) => (name.startsWith('pgsql-') ? `${name}/bin` : undefined)],
    ...['/opt/homebrew/opt', '/usr/local/opt'].map((parent): [string, (name: string) => string | undefined] => [
      parent,
      (name) => (/^(libpq|postgresql@\d+)$/.test(name) ? `${name}/bin` : undefined),
    ]),
  ]
  const folders = parents.map(async ([parent, folderOf]) => {
    const names = await readdir(parent).catch(() => [])
    return names.flatMap((name) => folderOf(name) ?? []).map((folder) => join(parent, folder))
  })
  return (await Promise.all(folders)).flat()
}

async function versionOf(path: string): Promise<Program | undefined> {
  const output = await runProgram(path, ['--version']).catch(() => '')
  const [, major] = /\) (\d+)/.exec(output.toString()) ?? []
  return major === undefined ? undefined : { path, major: Number(major) }
}

/**
 * Dumps a consistent snapshot of a database. Not compressed, so that unchanged data has the same bytes in each backup, which is
 * compressed later.
 */
export function dump(program: string, { url, env }: SignIn, signal: AbortSignal): Readable {
  return readProgram(program, ['--format=custom', '--compress=0', '--no-password', `--dbname=${url}`], { env, signal })
}

/** Loads all or nothing, as the database's own role: code in the dump gets no more rights than its tenant. */
export async function load(
  program: string,
  { url, env }: SignIn,
  content: Readable,
  signal: AbortSignal,
): Promise<void> {
  const atomic = ['--single-transaction', '--exit-on-error']
  // Only the role and the administrator can connect, so privileges of other roles are irrelevant.
  const own = ['--no-owner', '--no-privileges', '--no-password']
  await runProgram(program, [...atomic, ...own, `--dbname=${url}`], { input: content, env, signal, deadlineMs })
}

export function missing(name: string, major: number): never {
  throw new Failure('unavailable', `${name} for PostgreSQL ${major} is not installed on a worker. ${remedyFor(major)}`)
}
