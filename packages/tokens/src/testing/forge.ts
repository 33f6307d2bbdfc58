import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'
import { signingKeySet } from '../keys/key-set.ts'
import { claimsOf, type Issued, inSeconds, issue } from './issue.ts'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const without = (claim: string) => (app: Issued) => issue(app, { [claim]: undefined })
const withClaims = (claims: JWTPayload) => (app: Issued) => issue(app, claims)

async function ownKey({ db, cellVault, clock }: Issued, alg: string) {
  const key = (await signingKeySet(db, cellVault, clock.now())).keys.find((candidate) => candidate.alg === alg)
  if (!key?.kid) throw new Error('no key')
  return { kid: key.kid, privateKey: createPrivateKey({ key: { ...key }, format: 'jwk' }), jwk: key }
}

/** Signed by the forger's key, under the ID of one of ours. */
async function byForger(app: Issued, header: (own: string, forgers: unknown) => object): Promise<string> {
  const { kid } = await ownKey(app, 'ES256')
  const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = await exportJWK(forger.publicKey)
  return new SignJWT(claimsOf())
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...header(kid, jwk) })
    .sign(forger.privateKey)
}

/** Algorithm confusion: our public key as an HMAC secret. */
async function byPublicKey(app: Issued, alg: 'ES256' | 'RS256', secret: 'pem' | 'der' | 'jwk'): Promise<string> {
  const { kid, privateKey, jwk } = await ownKey(app, alg)
  const { d, p, q, dp, dq, qi, ...published } = jwk
  const publicKey = createPublicKey(privateKey)
  const secrets = {
    pem: Buffer.from(publicKey.export({ format: 'pem', type: 'spki' })),
    der: publicKey.export({ format: 'der', type: 'spki' }),
    jwk: Buffer.from(JSON.stringify(published)),
  }
  return new SignJWT(claimsOf()).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid }).sign(secrets[secret])
}

async function unsigned(app: Issued, alg: string): Promise<string> {
  const { kid } = await ownKey(app, 'ES256')
  return `${encode({ alg, typ: 'at+jwt', kid })}.${encode(claimsOf())}.`
}

async function altered(app: Issued, alter: (parts: string[]) => string[]): Promise<string> {
  return alter((await issue(app)).split('.')).join('.')
}

/** Signed by our own RSA key, but with another algorithm. */
async function byOtherAlgorithm(app: Issued, alg: string): Promise<string> {
  const { kid, privateKey } = await ownKey(app, 'RS256')
  return new SignJWT(claimsOf()).setProtectedHeader({ alg, typ: 'at+jwt', kid }).sign(privateKey)
}

async function critical(app: Issued): Promise<string> {
  const { kid, privateKey } = await ownKey(app, 'ES256')
  return new SignJWT(claimsOf())
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, crit: ['proof'], proof: 'needed' })
    .sign(privateKey, { crit: { proof: true } })
}

/** Tokens that must be refused, by their flaw. */
export const forgeries: Readonly<Record<string, (app: Issued) => Promise<string>>> = {
  'an empty text': async () => '',
  'not a token': async () => 'icosa_not.a.token',
  'no signature': (app) => altered(app, ([header = '', claims = '']) => [header, claims, '']),
  'half a signature': (app) =>
    altered(app, ([header = '', claims = '', signature = '']) => [header, claims, signature.slice(43)]),
  'five parts, as if encrypted': (app) => altered(app, (parts) => [...parts, 'a', 'b']),
  'other claims with the same signature': (app) =>
    altered(app, ([header = '', , signature = '']) => [header, encode(claimsOf({ permissions: ['*'] })), signature]),
  'alg none': (app) => unsigned(app, 'none'),
  'alg None': (app) => unsigned(app, 'None'),
  'alg ES256 without a signature': (app) => unsigned(app, 'ES256'),
  'HS256 with the public ES256 key as PEM': (app) => byPublicKey(app, 'ES256', 'pem'),
  'HS256 with the public RS256 key as PEM': (app) => byPublicKey(app, 'RS256', 'pem'),
  'HS256 with the public RS256 key as DER': (app) => byPublicKey(app, 'RS256', 'der'),
  'HS256 with the public RS256 key as JWK': (app) => byPublicKey(app, 'RS256', 'jwk'),
  'PS256 by our RS256 key': (app) => byOtherAlgorithm(app, 'PS256'),
  'RS512 by our RS256 key': (app) => byOtherAlgorithm(app, 'RS512'),
  'a forger’s key under our kid': (app) => byForger(app, (kid) => ({ kid })),
  'a forger’s key, in the header': (app) => byForger(app, (kid, jwk) => ({ kid, jwk })),
  'a forger’s key, in the header under its own kid': (app) => byForger(app, (_, jwk) => ({ kid: randomUUID(), jwk })),
  'a forger’s key at an address': (app) => byForger(app, (kid) => ({ kid, jku: 'https://forger.test/keys' })),
  'a forger’s key and no kid': (app) => byForger(app, () => ({})),
  'the kid of our other key': async (app) => issue(app, {}, { kid: (await ownKey(app, 'RS256')).kid }),
  'an unknown critical extension': critical,
  'an ID token': (app) => issue(app, {}, { typ: 'JWT' }),
  'a logout token': (app) => issue(app, {}, { typ: 'logout+jwt' }),
  'another audience': withClaims({ aud: 'https://app.example' }),
  'no audience': without('aud'),
  expired: withClaims({ iat: inSeconds(-600), exp: inSeconds(-6) }),
  'not valid yet': withClaims({ nbf: inSeconds(60) }),
  'issued in the future': withClaims({ iat: inSeconds(60) }),
  'issued more than a day ago': withClaims({ iat: inSeconds(-86_500), exp: inSeconds(600) }),
  'no subject': without('sub'),
  'an empty subject': withClaims({ sub: '' }),
  'no time of issue': without('iat'),
  'no expiry': without('exp'),
  'no ID': without('jti'),
  'no tenant': without('tenant'),
  'a tenant that breaks a log line': withClaims({ tenant: 'ada","level":"' }),
  'no permissions': without('permissions'),
  'permissions as text': withClaims({ permissions: '*' }),
  'permissions that are not patterns': withClaims({ permissions: ['example:get*', '(a+)+:x'] }),
  'too long': withClaims({ padding: 'x'.repeat(8_000) }),
}
