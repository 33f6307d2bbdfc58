import type { Readable } from 'node:stream'
import { readProgram, runProgram } from '@icosa/compute'
import { adminRole, mainDatabase } from '../names.ts'

/** How the owner of a machine connects. */
export interface SignIn {
  readonly host: string
  readonly port: number
  readonly password: string
}

/** No deadline: jobs have deadlines of their own. */
const deadlineMs = 2 ** 31 - 1

const at = ({ host, port }: SignIn) => [
  '-h',
  host,
  '-p',
  String(port),
  '-U',
  adminRole,
  '-d',
  mainDatabase,
  '--no-password',
]

/** Dumps a consistent snapshot of the database. Not compressed, so that unchanged data has the same bytes in each backup. */
export function dump(signIn: SignIn, signal: AbortSignal): Readable {
  const args = ['--format=custom', '--compress=0', ...at(signIn)]
  return readProgram('pg_dump', args, { env: { PGPASSWORD: signIn.password }, signal })
}

/** Loads all or nothing, as the owner, who has no more rights than its tenant. */
export async function load(signIn: SignIn, input: Readable, signal: AbortSignal): Promise<void> {
  const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', ...at(signIn)]
  await runProgram('pg_restore', args, { input, env: { PGPASSWORD: signIn.password }, signal, deadlineMs })
}
