import type { Readable } from 'node:stream'
import { readProgram, runProgram } from '@icosa/compute'
import { adminRole, mainDatabase } from '../names.ts'

/** Where the owner of a machine signs in. */
export interface SignIn {
  readonly host: string
  readonly port: number
  readonly password: string
}

/** A dump may take as long as it takes: whoever waits for it has a deadline of its own. */
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

/** All of the database as it is at one moment. Not compressed: what has not changed is then the same bytes again. */
export function dump(signIn: SignIn, signal: AbortSignal): Readable {
  const args = ['--format=custom', '--compress=0', ...at(signIn)]
  return readProgram('pg_dump', args, { env: { PGPASSWORD: signIn.password }, signal })
}

/** All or nothing, and as the owner, who may do no more than its tenant. */
export async function load(signIn: SignIn, input: Readable, signal: AbortSignal): Promise<void> {
  const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', ...at(signIn)]
  await runProgram('pg_restore', args, { input, env: { PGPASSWORD: signIn.password }, signal, deadlineMs })
}
