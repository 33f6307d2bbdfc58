import type { Readable } from 'node:stream'
import { readProgram, runProgram } from '@icosa/compute'
import type { SignIn } from '../host/host.ts'

/** A dump may take as long as it takes: whoever waits for it has a deadline of its own. */
const deadlineMs = 2 ** 31 - 1

/**
 * All of a database as it is at one moment, whoever writes meanwhile. Not compressed: what has not changed since the last
 * time is then the same bytes, and whoever keeps it compresses it anyway.
 */
export function dump({ url, env }: SignIn, signal: AbortSignal): Readable {
  return readProgram('pg_dump', ['--format=custom', '--compress=0', '--no-password', `--dbname=${url}`], {
    env,
    signal,
  })
}

/** All or nothing, and as the role of the database: what runs then has no more rights than its tenant. */
export async function load({ url, env }: SignIn, content: Readable, signal: AbortSignal): Promise<void> {
  const whole = ['--single-transaction', '--exit-on-error']
  // Nobody but the role and the administrator can connect, so privileges of others would mean nothing.
  const own = ['--no-owner', '--no-privileges', '--no-password']
  await runProgram('pg_restore', [...whole, ...own, `--dbname=${url}`], { input: content, env, signal, deadlineMs })
}
