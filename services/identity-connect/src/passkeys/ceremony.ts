import { randomBytes } from 'node:crypto'
import { Failure } from '@icosa/kernel'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

/** Who people register with, derived from the public URL: `https://id.example.com` gives the id `id.example.com`. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** A passkey takes the place of a password, so the device must make sure of its owner: possession alone is a finder's. */
export const userVerification = 'required'
/** ES256, EdDSA and RS256, as COSE numbers them: what authenticators have. */
export const algorithms = [-7, -8, -257]
export const validMs = 5 * 60_000

type Context = Pick<PeopleContext, 'database' | 'clock'>
type ChallengeFor = Omit<store.Challenge, 'challenge'>

/** A challenge that is known to all nodes. */
export async function newChallenge(
  { database, clock }: Context,
  purpose: ChallengeFor,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32))
  const challenge = Buffer.from(bytes).toString('base64url')
  await store.insertChallenge(database, { challenge, ...purpose }, new Date(clock.now().getTime() + validMs))
  return bytes
}

/** Uses up the challenge that an answer names, whatever becomes of the answer. */
export async function takeChallenge(
  { database, clock }: Context,
  answer: Answer,
  purpose: ChallengeFor,
): Promise<string> {
  const { challenge } = answer
  if (!(await store.takeChallenge(database, { challenge, ...purpose }, clock.now())))
    throw new Failure('invalid', 'This took too long or was sent twice: start again.', { code: 'ChallengeEnded' })
  return challenge
}

export interface Answer {
  readonly id: string
  readonly challenge: string
  /** As the library takes it, which checks every field that it reads. */
  readonly json: AuthenticationResponseJSON & RegistrationResponseJSON
  readonly userHandle: string | undefined
  readonly attestationObject: string | undefined
}

const maxAnswerLength = 20_000

/** Reads what the browser answered, as JSON. */
export function parseAnswer(text: string): Answer {
  try {
    const json = JSON.parse(text.slice(0, maxAnswerLength))
    const { clientDataJSON, userHandle, attestationObject } = json.response
    const { challenge } = JSON.parse(isoBase64URL.toUTF8String(clientDataJSON))
    if (![json.id, challenge].every((name) => /^[\w-]+$/.test(name))) throw new Error('not in base64url')
    return { id: json.id, challenge, json, userHandle, attestationObject }
  } catch {
    throw new Failure('invalid', 'The browser did not answer with a passkey: try again.')
  }
}

/**
 * We ask for no attestation, so only the kinds are let through that come without certificates: they would prove
 * nothing to us, and to check some of them the library fetches lists of revoked ones, past the guarded `fetch`.
 */
export function hasNoCertificates({ attestationObject }: Answer): boolean {
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject ?? ''))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}
