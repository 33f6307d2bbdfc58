import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, Failure, type Vault } from '@icosa/kernel'

const signatureOf = (vault: Vault, upload: string, expires: string): Buffer =>
  createHmac('sha256', vault.derive('functions uploads')).update(`${upload}\n${expires}`).digest()

/** Query of a signed URL. */
export function signedQuery(vault: Vault, upload: string, expiresAt: Date): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1_000))
  return new URLSearchParams({
    expires,
    signature: signatureOf(vault, upload, expires).toString('base64url'),
  }).toString()
}

export function refuseUrl(): never {
  throw new Failure('forbidden', 'This upload URL is not valid: get a new one with generateUploadUrl.')
}

export function checkSignature(
  vault: Vault,
  clock: Clock,
  upload: string,
  { expires, signature }: { readonly expires: string; readonly signature: string },
): void {
  const expected = signatureOf(vault, upload, expires)
  const actual = Buffer.from(signature, 'base64url')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) refuseUrl()
  if (clock.now().getTime() >= Number(expires) * 1_000)
    throw new Failure('forbidden', 'This upload URL has expired: get a new one with generateUploadUrl.')
}
