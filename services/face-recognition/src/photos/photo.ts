import { type Bytes, Type } from '@icosa/contract'
import { closed, Failure, type GuardedFetch, lazyValidator } from '@icosa/kernel'
import { maxPhotoBytes } from './contract.ts'

const check = lazyValidator(closed(Type.Object({ url: Type.String({ minLength: 1, maxLength: 2_048 }) })), 'body')

/** Returns the bytes of a photo from the body, or fetches them. */
export async function photoOf(body: Bytes, fetch: GuardedFetch, signal?: AbortSignal): Promise<Uint8Array> {
  if (body.mediaType !== 'application/json') return body.content
  const url = urlIn(body.content)
  try {
    const response = await fetch(url, { maxBytes: maxPhotoBytes, timeoutMs: 15_000, ...(signal && { signal }) })
    if (response.status === 200) return response.body
    return unusable(`it answered ${response.status}`)
  } catch (error) {
    if (signal?.aborted || !(error instanceof Failure) || error.code !== undefined) throw error
    return unusable(error.message)
  }
}

function urlIn(content: Uint8Array): string {
  try {
    const value: unknown = JSON.parse(Buffer.from(content).toString())
    if (check(value).length === 0) return (value as { readonly url: string }).url
  } catch {} // refused below
  throw new Failure('invalid', 'The body must be an object with only the "url" of a photo, or the photo itself.', {
    code: 'BadArgument',
  })
}

function unusable(reason: string): never {
  throw new Failure('invalid', `The photo could not be fetched from its URL: ${reason}`, { code: 'InvalidURL' })
}
