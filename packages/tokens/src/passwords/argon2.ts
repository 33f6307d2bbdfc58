import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { semaphore } from '@icosa/kernel'

interface Parameters {
  /** In KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's recommendation for argon2id. To be raised as machines get faster: hashes are upgraded at sign-in. */
const current: Parameters = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32
/** More than any password that the rules allow. */
export const maxTypedLength = 1280

/**
 * A hash takes one of Node's four threads for some 50 ms, and 19 MiB. Two at a time leave two threads for files and DNS
 * during a flood of sign-ins, and take 38 MiB; queued ones are a promise each.
 */
const limited = semaphore(2, { maxWaiting: 64, refusal: 'Too many concurrent sign-ins: try again shortly.' })
const derive = promisify(argon2)

function hash(password: string, nonce: Buffer, parameters: Parameters, tagLength: number): Promise<Buffer> {
  // Keyboards may compose the same password in different ways. An overlong one never matches.
  const message = Buffer.from(password.length > maxTypedLength ? '' : password.normalize('NFKC'))
  return limited(() => derive('argon2id', { message, nonce, tagLength, ...parameters }))
}

/** PHC format, as in other programs: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
export async function hashPassword(password: string, parameters: Parameters = current): Promise<string> {
  const salt = randomBytes(saltBytes)
  return format(parameters, salt, await hash(password, salt, parameters, hashBytes))
}

/** Verifies a password. */
export async function isPassword(password: string, phc: string): Promise<boolean> {
  const { parameters, salt, expected } = parse(phc)
  return timingSafeEqual(await hash(password, salt, parameters, expected.length), expected)
}

/** Whether it was hashed with less work than a new one would be. */
export function isOutdated(phc: string): boolean {
  const { memory, passes } = parse(phc).parameters
  return memory < current.memory || passes < current.passes
}

/** Compared with guesses at unknown accounts, so that they take as long as any other. */
export const nobodysHash = format(current, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes))

function format({ memory, passes, parallelism }: Parameters, salt: Buffer, tag: Buffer): string {
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

const syntax = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/

function parse(phc: string): { parameters: Parameters; salt: Buffer; expected: Buffer } {
  const [, memory, passes, parallelism, salt, tag] = syntax.exec(phc) ?? []
  if (salt === undefined || tag === undefined) throw new Error('A stored password hash has an unknown format.')
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    expected: Buffer.from(tag, 'base64'),
  }
}
