import { randomBytes } from 'node:crypto'
import { Failure } from '@icosa/kernel'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

/** Derived from the public URL: the id of `https://id.example.com` is `id.example.com`. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** A passkey replaces a password, so the device must verify its owner: possession alone is not enough. */
export const userVerification = 'required'
/** COSE identifiers of ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257]
export const validMs = 5 * 60_000

type Context = Pick<PeopleContext, 'database' | 'clock'>
type ChallengePurpose = Omit<store.Challenge, 'challenge'>

/** Stored, so that any node can verify it. */
export async function newChallenge(
  { database, clock }: Context,
  purpose: ChallengePurpose,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(randomBytes(32))
  const challenge = Buffer.from(bytes).toString('base64url')
  await store.insertChallenge(database, { challenge, ...purpose }, new Date(clock.now().getTime() + validMs))
  return bytes
}

/** Consumes the challenge of a credential, whether or not the credential is valid. */
export async function consumeChallenge(
  { database, clock }: Context,
  credential: Credential,
  purpose: ChallengePurpose,
): Promise<string> {
  const { challenge } = credential
  if (!(await store.consumeChallenge(database, { challenge, ...purpose }, clock.now())))
    throw new Failure('invalid', 'This took too long or was sent twice: start again.', { code: 'ChallengeEnded' })
  return challenge
}

export interface Credential {
  readonly id: string
  readonly challenge: string
  /** Input of the library, which validates every field that it reads. */
  readonly json: AuthenticationResponseJSON & RegistrationResponseJSON
  readonly userHandle: string | undefined
  readonly attestationObject: string | undefined
}

const maxLength = 20_000

/** Parses the credential that the browser returned as JSON. */
export function parseCredential(text: string): Credential {
  try {
    const json = JSON.parse(text.slice(0, maxLength))
    const { clientDataJSON, userHandle, attestationObject } = json.response
    const { challenge } = JSON.parse(isoBase64URL.toUTF8String(clientDataJSON))
    if (![json.id, challenge].every((value) => /^[\w-]+$/.test(value))) throw new Error('not in base64url')
    return { id: json.id, challenge, json, userHandle, attestationObject }
  } catch {
    throw new Failure('invalid', 'The browser did not return a passkey: try again.')
  }
}

/**
 * Accepts only attestation formats without certificates. We request no attestation, and to verify some certificates the
 * library fetches revocation lists, bypassing the guarded `fetch`.
 */
export function hasNoCertificates({ attestationObject }: Credential): boolean {
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject ?? ''))
    const format = decoded.get('fmt')
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}
