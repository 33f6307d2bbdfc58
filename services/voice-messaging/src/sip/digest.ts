import { createHash, randomBytes } from 'node:crypto'

export interface Challenge {
  readonly realm: string
  readonly nonce: string
  readonly opaque: string | undefined
  readonly algorithm: Algorithm
  readonly isAuth: boolean
  /** Only the nonce has expired; the password may be right. */
  readonly stale: boolean
}

const hashes = { 'SHA-256': 'sha256', MD5: 'md5' } as const
type Algorithm = keyof typeof hashes

/** Returns the strongest supported challenge. */
export function challengeIn(values: readonly string[]): Challenge | undefined {
  const challenges = values.flatMap((value) => readChallenge(value) ?? [])
  return challenges.find(({ algorithm }) => algorithm === 'SHA-256') ?? challenges[0]
}

function readChallenge(value: string): Challenge | undefined {
  if (!/^Digest\s/i.test(value)) return undefined
  const fields = new Map(
    [...value.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)].map(([, name = '', quoted, plain]) => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '',
    ]),
  )
  const [realm, nonce] = [fields.get('realm'), fields.get('nonce')]
  const algorithm = (fields.get('algorithm') ?? 'MD5').toUpperCase()
  if (realm === undefined || nonce === undefined || !Object.hasOwn(hashes, algorithm)) return undefined
  const qop = fields
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/)
  if (qop && !qop.includes('auth')) return undefined // requires auth-int
  return {
    realm,
    nonce,
    opaque: fields.get('opaque'),
    algorithm: algorithm as Algorithm,
    isAuth: qop !== undefined,
    stale: fields.get('stale')?.toLowerCase() === 'true',
  }
}

export interface Credentials {
  readonly user: string
  readonly password: string
}

/** Value of an `Authorization` header (RFC 7616). */
export function digest(
  { realm, nonce, opaque, algorithm, isAuth }: Challenge,
  { user, password }: Credentials,
  { method, uri }: { readonly method: string; readonly uri: string },
  cnonce = randomBytes(8).toString('hex'),
): string {
  const hash = (text: string) => createHash(hashes[algorithm]).update(text).digest('hex')
  const count = '00000001' // each nonce is used once
  const [ha1, ha2] = [hash(`${user}:${realm}:${password}`), hash(`${method}:${uri}`)]
  const response = hash(isAuth ? `${ha1}:${nonce}:${count}:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`)
  const quoted = { username: user, realm, nonce, uri, response, ...(opaque !== undefined && { opaque }) }
  const parts = Object.entries(quoted).map(([name, value]) => `${name}="${value.replace(/["\\]/g, '\\$&')}"`)
  const protection = isAuth ? [`qop=auth`, `nc=${count}`, `cnonce="${cnonce}"`] : []
  return `Digest ${[...parts, `algorithm=${algorithm}`, ...protection].join(', ')}`
}
