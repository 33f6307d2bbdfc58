import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, Failure, type SignedUrlOptions } from '@icosa/kernel'
import { checkKey, checkSignedUrlOptions, defaultContentType } from '../checks.ts'

export const blobPath = '/_icosa/blobs/'

/** Permission granted by a signed URL. */
export interface Grant {
  readonly key: string
  readonly method: 'GET' | 'PUT'
  /** Required content type of a PUT. */
  readonly contentType: string
}

export interface UrlSigner {
  sign(key: string, options: SignedUrlOptions): string
  /** Throws `forbidden` unless the URL is unmodified, for this method, and not expired. HEAD counts as GET. */
  open(request: { method: string; url: string }): Grant
}

export interface UrlSignerOptions {
  readonly signingKey: Uint8Array
  readonly clock: Clock
  readonly publicUrl: () => string
}

const minKeyLength = 32

export function urlSigner({ signingKey, clock, publicUrl }: UrlSignerOptions): UrlSigner {
  if (signingKey.length < minKeyLength) {
    throw new Failure('invalid', `The signing key of blob URLs needs at least ${minKeyLength} random bytes.`)
  }
  // Domain separation: the first line rules out signatures made with the same key for other purposes.
  const signatureOf = (grant: Grant, expires: string) =>
    createHmac('sha256', signingKey)
      .update(['icosa blob url 1', grant.method, expires, grant.contentType, grant.key].join('\n'))
      .digest()

  return {
    sign(key, options) {
      checkKey(key)
      checkSignedUrlOptions(options)
      const { method } = options
      const grant = { key, method, contentType: method === 'PUT' ? (options.contentType ?? defaultContentType) : '' }
      const expires = String(Math.floor(clock.now().getTime() / 1000) + options.expiresInSeconds)
      const query = new URLSearchParams({ method, expires })
      if (grant.contentType) query.set('type', grant.contentType)
      query.set('signature', signatureOf(grant, expires).toString('base64url'))
      const path = key.split('/').map(encodeURIComponent).join('/')
      return `${publicUrl().replace(/\/$/, '')}${blobPath}${path}?${query}`
    },

    open({ method, url }) {
      const { grant, expires, signature } = parse(url)
      const expected = signatureOf(grant, expires)
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) refuse('is not valid')
      if (clock.now().getTime() >= Number(expires) * 1000) refuse('has expired')
      if (grant.method !== (method === 'HEAD' ? 'GET' : method)) refuse(`is not for ${method}`)
      return grant
    },
  }
}

function parse(url: string): { grant: Grant; expires: string; signature: Buffer } {
  const [, path = '', search = ''] = /^[^?]*?\/_icosa\/blobs\/([^?]*)\?(.*)$/.exec(url) ?? []
  const query = new URLSearchParams(search)
  const method = query.get('method')
  if (method !== 'GET' && method !== 'PUT') return refuse('is not valid')
  return {
    grant: { key: decoded(path), method, contentType: query.get('type') ?? '' },
    expires: query.get('expires') ?? '',
    signature: Buffer.from(query.get('signature') ?? '', 'base64url'),
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return refuse('is not valid')
  }
}

function refuse(why: string): never {
  throw new Failure('forbidden', `This signed URL ${why}; ask for a new one.`)
}
