import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { readProgram, runProgram } from '@icosa/compute'
import { Failure } from '@icosa/kernel'
import type { SignIn } from '../host/host.ts'
import { remedyFor } from './carried.ts'

/** A dump may take as long as it takes: whoever waits for it has a deadline of its own. */
const deadlineMs = 2 ** 31 - 1

interface Found {
  readonly path: string
  readonly major: number
}

/**
 * The program of the server's version, or else of the next one: an older one refuses, and a much newer one may say
 * what the server does not know.
 */
export async function programFor(name: 'pg_dump' | 'pg_restore', major: number, folder: string | undefined) {
  const all = await programsNamed(name, folder)
  return all.filter((one) => one.major >= major).sort((a, b) => a.major - b.major)[0]?.path
}

/** The server itself: its folder can be opened by the same version and by no other. `also` is one more place to look. */
export async function serverProgramFor(major: number, folder: string | undefined, also: string | undefined) {
  const own = also === undefined ? [] : await programsNamed('postgres', also)
  return [...own, ...(await programsNamed('postgres', folder))].find((one) => one.major === major)?.path
}

async function programsNamed(name: string, folder: string | undefined): Promise<Found[]> {
  const folders = folder === undefined ? ['', ...(await defaultFolders())] : [folder]
  const all = await Promise.all(folders.map((one) => versionOf(one === '' ? name : join(one, name))))
  return all.filter((one) => one !== undefined)
}

/** Where Debian, Red Hat and Homebrew put the programs of each version. */
async function defaultFolders(): Promise<string[]> {
  const parents: readonly [string, (name: string) => string | undefined][] = [
    ['/usr/lib/postgresql', (name) => `${name}/bin`],
    ['/usr', (name) => (name.startsWith('pgsql-') ? `${name}/bin` : undefined)],
    ...['/opt/homebrew/opt', '/usr/local/opt'].map((parent): [string, (name: string) => string | undefined] => [
      parent,
      (name) => (/^(libpq|postgresql@\d+)$/.test(name) ? `${name}/bin` : undefined),
    ]),
  ]
  const found = parents.map(async ([parent, folderOf]) => {
    const names = await readdir(parent).catch(() => [])
    return names.flatMap((name) => folderOf(name) ?? []).map((one) => join(parent, one))
  })
  return (await Promise.all(found)).flat()
}

async function versionOf(path: string): Promise<Found | undefined> {
  const printed = await runProgram(path, ['--version']).catch(() => '')
  const [, major] = /\) (\d+)/.exec(printed.toString()) ?? []
  return major === undefined ? undefined : { path, major: Number(major) }
}

/**
 * All of a database as it is at one moment, whoever writes meanwhile. Not compressed: what has not changed since the last
 * time is then the same bytes, and whoever keeps it compresses it anyway.
 */
export function dump(program: string, { url, env }: SignIn, signal: AbortSignal): Readable {
  return readProgram(program, ['--format=custom', '--compress=0', '--no-password', `--dbname=${url}`], { env, signal })
}

/** All or nothing, and as the role of the database: what runs then has no more rights than its tenant. */
export async function load(
  program: string,
  { url, env }: SignIn,
  content: Readable,
  signal: AbortSignal,
): Promise<void> {
  const whole = ['--single-transaction', '--exit-on-error']
  // Nobody but the role and the administrator can connect, so privileges of others would mean nothing.
  const own = ['--no-owner', '--no-privileges', '--no-password']
  await runProgram(program, [...whole, ...own, `--dbname=${url}`], { input: content, env, signal, deadlineMs })
}

export function missing(name: string, major: number): never {
  throw new Failure('unavailable', `${name} for PostgreSQL ${major} is not installed on a worker. ${remedyFor(major)}`)
}
