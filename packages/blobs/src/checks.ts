import { type ByteRange, Failure, type PageOptions, type SignedUrlOptions } from '@icosa/kernel'

export const maxKeyBytes = 900
export const maxPage = 1000
export const defaultContentType = 'application/octet-stream'

const weekInSeconds = 7 * 24 * 60 * 60
// U+FFFE and U+FFFF are not allowed in XML, in which S3 lists keys; a lone surrogate has no UTF-8.
const forbiddenCharacter = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\x20-\x7e]*[\x21-\x7e])?$/

function refuse(message: string): never {
  throw new Failure('invalid', message)
}

/** Prefixes and `after` use the same alphabet as keys, but need no complete segments. */
function checkKeyText(text: string): void {
  if (Buffer.byteLength(text) > maxKeyBytes) refuse(`A blob key has at most ${maxKeyBytes} bytes of UTF-8; shorten it.`)
  if (forbiddenCharacter.test(text)) refuse('A blob key has no control characters; remove them.')
}

export function isBlobKey(key: string): boolean {
  const segments = key.split('/')
  return (
    Buffer.byteLength(key) <= maxKeyBytes &&
    !forbiddenCharacter.test(key) &&
    !segments.some((segment) => segment === '' || segment === '.' || segment === '..')
  )
}

export function checkKey(key: string): void {
  checkKeyText(key)
  if (!isBlobKey(key)) refuse("A blob key is one or more segments joined by '/', none of them empty, '.' or '..'.")
}

export function checkContentType(contentType: string): void {
  if (contentType.length > 255 || !mediaType.test(contentType)) {
    refuse(`'${contentType}' is not a content type; give one such as '${defaultContentType}'.`)
  }
}

export function checkRange({ start = 0, end }: ByteRange): void {
  const isOffset = (offset: number) => Number.isSafeInteger(offset) && offset >= 0
  if (!isOffset(start) || (end !== undefined && (!isOffset(end) || end < start))) {
    refuse('A byte range is two whole numbers of 0 or more, the start not after the end.')
  }
}

export function rangeNotSatisfiable(key: string, cause?: unknown): Failure {
  const message = `The range starts after the last byte of the blob '${key}'; ask for its size with head first.`
  return new Failure('invalid', message, { code: 'RangeNotSatisfiable', cause })
}

export function checkPage(prefix: string, options: PageOptions): void {
  checkKeyText(prefix)
  checkKeyText(options.after ?? '')
  if (!Number.isInteger(options.limit) || options.limit < 1 || options.limit > maxPage) {
    refuse(`A page has 1 to ${maxPage} blobs; choose a limit in that range.`)
  }
}

export function checkSignedUrlOptions(options: SignedUrlOptions): void {
  const { expiresInSeconds } = options
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > weekInSeconds) {
    refuse(`A signed URL is valid for 1 to ${weekInSeconds} whole seconds.`)
  }
  if (options.method === 'PUT') checkContentType(options.contentType ?? defaultContentType)
}
