import { hash, timingSafeEqual } from 'node:crypto'

export const algorithm = 'AWS4-HMAC-SHA256'
export const terminator = 'aws4_request'
export const emptyHash = hash('sha256', '')

/** Day, region and service for which a signature counts. */
export interface Scope {
  readonly date: string
  readonly region: string
  readonly service: string
}

export const scopeText = ({ date, region, service }: Scope) => `${date}/${region}/${service}/${terminator}`

/** A key as HMAC (RFC 2104) uses it: mixed into the start of both of its hashes. */
interface HmacKey {
  readonly inner: Buffer
  readonly outer: Buffer
}

const blockBytes = 64

function hmacKey(key: Uint8Array): HmacKey {
  const block = Buffer.alloc(blockBytes)
  block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key)
  return { inner: block.map((byte) => byte ^ 0x36) as Buffer, outer: block.map((byte) => byte ^ 0x5c) as Buffer }
}

/** Two one-shot hashes: a tenth of the CPU of `createHmac`, which looks its algorithm up anew each time. */
function hmac({ inner, outer }: HmacKey, text: string): Buffer {
  const innerHash = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
  return hash('sha256', Buffer.concat([outer, innerHash]), 'buffer')
}

export function signatureOf(key: HmacKey, time: string, scope: Scope, canonical: string): Buffer {
  return hmac(key, `${algorithm}\n${time}\n${scopeText(scope)}\n${hash('sha256', canonical)}`)
}

export function matches(signature: Buffer, claimed: string): boolean {
  return timingSafeEqual(signature, Buffer.from(claimed, 'hex'))
}

/** Four rounds from the secret to the key of a day, a region and a service. */
export function signingKey(secret: string, { date, region, service }: Scope): HmacKey {
  let key: Uint8Array = Buffer.from(`AWS4${secret}`)
  for (const part of [date, region, service, terminator]) key = hmac(hmacKey(key), part)
  return hmacKey(key)
}

const cachedLimit = 10_000

/** Signing keys by access key, day, region and service: a secret never changes, so they stay true. */
export function signingKeys(): (id: string, secret: string, scope: Scope) => HmacKey {
  const cache = new Map<string, HmacKey>()
  return (id, secret, scope) => {
    const name = `${id}/${scopeText(scope)}`
    let key = cache.get(name)
    if (!key) {
      key = signingKey(secret, scope)
      if (cache.size >= cachedLimit) cache.clear()
      cache.set(name, key)
    }
    return key
  }
}
