import type { KeepDays } from '@icosa/kernel'
import { parseTokenKey } from '@icosa/pkcs11/uri'
import { json, type Kind, matching, Refusal } from '@icosa/settings'
import type { TrustedIssuer } from '@icosa/tokens'
import type { SignIn } from './front/console.ts'
import type { GivenKey } from './master-key/tokens.ts'

/** An address without its trailing slash, so that paths can be appended. */
export const publicUrl: Kind<string> = {
  is: 'an absolute URL without a query',
  example: 'https://api.example.com',
  read(value) {
    const url = URL.parse(value)
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) throw new Refusal()
    return value.replace(/\/$/, '')
  },
}

/** A folder or a bucket, unparsed. */
export const blobLocation: Kind<string> = {
  is: 'a folder, or s3://bucket/prefix',
  example: '/var/lib/icosa/blobs',
  read(value) {
    if (value.startsWith('s3:') && !URL.parse(value)?.hostname) throw new Refusal('it names no bucket')
    return value
  },
}

export const masterKey: Kind<GivenKey> = {
  is: '32 bytes in base64 or the URI of a token key (RFC 7512)',
  example:
    'the output of `openssl rand -base64 32`, or `pkcs11:token=icosa;object=master?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=file:/run/secrets/pin`',
  read(value) {
    if (/^[\w+/-]{43}=?$/.test(value)) return Buffer.from(value, 'base64')
    if (!value.startsWith('pkcs11:')) throw new Refusal()
    try {
      return parseTokenKey(value)
    } catch (error) {
      throw new Refusal(`it ${(error as Error).message}`)
    }
  },
}

/** Environment variables for a PKCS#11 library. */
export const libraryEnvironment: Kind<Readonly<Record<string, string>>> = json(
  { is: 'a JSON object with string values', example: '{"SOFTHSM2_CONF":"/etc/softhsm2.conf"}' },
  (value) => {
    if (!isObject(value) || Object.values(value).some((one) => typeof one !== 'string')) throw new Refusal()
    return value as Readonly<Record<string, string>>
  },
)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const keepDays: Kind<KeepDays> = json(
  { is: 'a JSON object with whole days from 1 to 36500 by table', example: '{"job_scheduler.history":90}' },
  (value) => {
    if (!isObject(value)) throw new Refusal()
    for (const [table, days] of Object.entries(value))
      if (!Number.isInteger(days) || Number(days) < 1 || Number(days) > 36_500)
        throw new Refusal(`the days of ${table} are not a whole number from 1 to 36500`)
    return value as KeepDays
  },
)

export const trustedIssuers: Kind<readonly TrustedIssuer[]> = json(
  {
    is: 'a JSON list of issuers',
    example:
      '[{"issuer":"https://login.example.com","audience":"icosa","tenantClaim":"tid","permissionsClaim":"roles"}]',
  },
  (value) => {
    const issuers = [value].flat()
    for (const issuer of issuers)
      if (!isObject(issuer) || typeof issuer.issuer !== 'string' || typeof issuer.audience !== 'string')
        throw new Refusal('each must have an issuer and an audience')
    return issuers as TrustedIssuer[]
  },
)

export const consoleSignIn: Kind<SignIn> = json(
  {
    is: 'a JSON object with an issuer and a client ID',
    example: '{"issuer":"https://api.example.com/identity-connect","clientId":"cl_..."}',
  },
  (value) => {
    const { issuer, clientId, scope = 'openid platform' } = isObject(value) ? value : {}
    if (typeof issuer !== 'string' || !/^https?:$/.test(URL.parse(issuer)?.protocol ?? ''))
      throw new Refusal('it names no issuer')
    if (typeof clientId !== 'string' || typeof scope !== 'string') throw new Refusal('it names no client')
    return { issuer: issuer.replace(/\/$/, ''), clientId, scope }
  },
)

export const share: Kind<number> = matching(
  /^(0(\.\d+)?|1(\.0+)?)$/,
  { is: 'a number from 0 to 1', example: '0.1' },
  ([text]) => Number(text),
)

/** In OpenTelemetry's format: values are percent-encoded. */
export const headers: Kind<Readonly<Record<string, string>>> = {
  is: 'headers as name=value, separated by commas',
  example: 'api-key=secret',
  read(given) {
    const pairs = given.split(',').map((pair) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair) ?? []
      if (name === undefined || value === undefined || /%(?![\da-f]{2})/i.test(value)) throw new Refusal()
      return [name.toLowerCase(), decodeURIComponent(value)]
    })
    return Object.fromEntries(pairs)
  },
}
