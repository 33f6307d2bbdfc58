import type { KeepDays } from '@icosa/kernel'
import { json, type Kind, matching, Refusal } from '@icosa/settings'
import type { TrustedIssuer } from '@icosa/tokens'

/** An address without a slash at its end, so that paths can follow. */
export const publicUrl: Kind<string> = {
  is: 'a whole address without a query',
  example: 'https://api.example.com',
  read(given) {
    const url = URL.parse(given)
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) throw new Refusal()
    return given.replace(/\/$/, '')
  },
}

/** A folder or a bucket, as it was written. */
export const blobLocation: Kind<string> = {
  is: 'a folder, or s3://bucket/prefix',
  example: '/var/lib/icosa/blobs',
  read(given) {
    if (given.startsWith('s3:') && !URL.parse(given)?.hostname) throw new Refusal('it names no bucket')
    return given
  },
}

export const masterKey: Kind<Uint8Array> = matching(
  /^[\w+/-]{43}=?$/,
  { is: '32 bytes in base64', example: 'what `openssl rand -base64 32` prints' },
  ([text]) => Buffer.from(text, 'base64'),
)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const keepDays: Kind<KeepDays> = json(
  { is: 'an object of JSON with whole days from 1 to 36500 by table', example: '{"job_scheduler.history":90}' },
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
    is: 'a list of issuers in JSON',
    example:
      '[{"issuer":"https://login.example.com","audience":"icosa","tenantClaim":"tid","permissionsClaim":"roles"}]',
  },
  (value) => {
    const issuers = [value].flat()
    for (const one of issuers)
      if (!isObject(one) || typeof one.issuer !== 'string' || typeof one.audience !== 'string')
        throw new Refusal('each must have an issuer and an audience')
    return issuers as TrustedIssuer[]
  },
)
