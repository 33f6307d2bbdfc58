import { hash, timingSafeEqual } from 'node:crypto'
import { type Caller, type Clock, type Credentials, Failure, type Incoming, type SigningSecret } from '@icosa/kernel'
import { readAuthorization, type SignedRequest } from './authorization.ts'
import { canonicalRequest } from './canonical.ts'
import { emptyHash, matches, signatureOf, signingKeys } from './signature.ts'

export interface Expected {
  readonly region: string
  /** Names of the service in a credential's scope. */
  readonly signingNames: readonly string[]
  readonly clock: Clock
}

export type Verify = (incoming: Incoming, credentials: Credentials) => Caller | Promise<Caller>

/** Verifies the signature of a request step by step, and returns its caller. */
export function verifier(expected: Expected): Verify {
  const keyOf = signingKeys()

  return (incoming, credentials) => {
    const signed = readAuthorization(incoming)
    checkScope(signed, expected)
    checkTime(signed, expected.clock.now())
    checkCoverage(signed, incoming)
    const payloadHash = hashOfBody(incoming)
    const lookup = credentials.bySigningId(signed.keyId)
    const check = (secret: SigningSecret | undefined) => {
      checkSignature(signed, incoming, payloadHash, secret)
      return checkSession(signed, secret as SigningSecret, expected.clock.now())
    }
    return lookup instanceof Promise ? lookup.then(check) : check(lookup)
  }

  function checkSignature(
    signed: SignedRequest,
    incoming: Incoming,
    payloadHash: string,
    credential: SigningSecret | undefined,
  ) {
    const { keyId, scope, time, signedHeaders, signature } = signed
    const canonical = canonicalRequest(incoming, signedHeaders, payloadHash)
    // Unknown keys take the same path, to prevent timing attacks.
    const key = credential ? keyOf(keyId, credential.secret, scope) : keyOf('', 'unknown', scope)
    const same = matches(signatureOf(key, time, scope, canonical), signature)
    if (!credential) throw refused('UnrecognizedClientException', `There is no access key ${keyId} on this platform.`)
    if (same) return
    const message = `The signature does not match the request. The canonical request is:\n${canonical}`
    throw refused('InvalidSignatureException', message)
  }
}

const refused = (code: string, message: string) => new Failure('unauthenticated', message, { code })

function checkScope({ scope, time }: SignedRequest, { region, signingNames }: Expected): void {
  const expectation =
    scope.region !== region
      ? `region ${region}, not ${scope.region}: set the region of the client, or ICOSA_REGION of the platform`
      : !signingNames.includes(scope.service)
        ? `service ${signingNames.join(' or ')}, not ${scope.service}`
        : scope.date !== time.slice(0, 8)
          ? `day of X-Amz-Date, ${time.slice(0, 8)}, not ${scope.date}`
          : undefined
  if (expectation) throw refused('InvalidSignatureException', `Sign for the ${expectation}.`)
}

const skewMs = 15 * 60_000

/** Valid while the clocks differ by at most 15 minutes; presigned requests until they expire. */
function checkTime({ time, expiresSeconds }: SignedRequest, now: Date): void {
  const part = (from: number, to: number) => Number(time.slice(from, to))
  const at = Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), part(9, 11), part(11, 13), part(13, 15))
  const age = now.getTime() - at
  if (!(age >= -skewMs) || (expiresSeconds === undefined && age > skewMs))
    throw refused('InvalidSignatureException', `The request was signed at ${time}; it is ${now.toISOString()} here.`)
  if (expiresSeconds !== undefined && age > expiresSeconds * 1_000)
    throw refused('InvalidSignatureException', `The signature has expired: it was valid for ${expiresSeconds} seconds.`)
}

/** The host and all meaningful headers must be signed; signed headers must occur exactly once. */
function checkCoverage({ signedHeaders }: SignedRequest, { headers, rawHeaders }: Incoming): void {
  const names = new Set(signedHeaders)
  if (!names.has('host')) throw refused('InvalidSignatureException', 'Sign the host header.')
  for (const name of signedHeaders) {
    if (typeof headers[name] !== 'string')
      throw refused('InvalidSignatureException', `The signed header ${name} is missing.`)
  }
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    if (names.has(name)) count++
    else if (name.startsWith('x-amz-')) throw refused('InvalidSignatureException', `Sign the header ${name} as well.`)
  }
  if (count !== signedHeaders.length)
    throw refused('InvalidSignatureException', 'Send every signed header once, and name it once in SignedHeaders.')
}

/** Returns the hash of the received body, which must be the signed one. */
function hashOfBody({ headers, body }: Incoming): string {
  const actual = body && body.length > 0 ? hash('sha256', body) : emptyHash
  const declared = headers['x-amz-content-sha256'] ?? actual
  if (declared !== actual)
    throw refused('InvalidSignatureException', `X-Amz-Content-Sha256 is not the hash of the body, which is ${actual}.`)
  return actual
}

/** Temporary credentials are valid only with their session token, and until they expire. */
function checkSession(
  { sessionToken }: SignedRequest,
  { caller, sessionTokenHash, expiresAt }: SigningSecret,
  now: Date,
): Caller {
  const tokenHash = sessionToken === undefined ? undefined : hash('sha256', sessionToken, 'buffer')
  const same =
    tokenHash && sessionTokenHash ? timingSafeEqual(tokenHash, sessionTokenHash) : tokenHash === sessionTokenHash
  if (!same) throw refused('UnrecognizedClientException', 'The session token does not belong to this access key.')
  if (expiresAt && expiresAt <= now)
    throw refused('ExpiredTokenException', `The access key expired at ${expiresAt.toISOString()}.`)
  return caller
}
