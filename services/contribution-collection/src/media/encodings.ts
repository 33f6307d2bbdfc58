import { Failure, formParts } from '@icosa/kernel'
import { headOf } from './content/head.ts'
import { headLength } from './content/type.ts'

type Pieces = AsyncIterable<Uint8Array>

/** The file in a body: raw, in a form, or in Base64 (as text or as a JSON string). */
export async function* fileIn(mediaType: string, body: Pieces): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  const head = await headOf(pieces, mediaType.startsWith('multipart/') ? maxBoundaryLength : headLength)
  const whole = joined(head, pieces)
  if (mediaType.startsWith('multipart/')) yield* fileOfForm(head, whole)
  else if (isBase64(head)) yield* decoded(whole)
  else yield* whole
}

/** RFC 2046 allows 70 characters; around them are two hyphens and the end of the line. */
const maxBoundaryLength = 74
const maxParts = 20

async function* joined(head: Buffer, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
}

/** The boundary is read from the first line. */
async function* fileOfForm(head: Buffer, whole: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [, boundary] = /^--([^\r\n]{1,70})\r\n/.exec(head.toString('latin1')) ?? []
  if (boundary === undefined) throw new Failure('invalid', 'The form has no parts: send one file.')
  let files = 0
  for await (const { fileName, content } of formParts(whole, `multipart/form-data; boundary="${boundary}"`, {
    maxParts,
  }))
    if (fileName !== undefined) {
      if (++files > 1) throw new Failure('invalid', 'The form has several files: send them separately.')
      yield* content
    } else for await (const _ of content);
}

/** No media file begins with this many letters and digits. */
const isBase64 = (head: Buffer) => /^"?[A-Za-z0-9+/\r\n]{24,}={0,2}"?\s*$/.test(head.toString('latin1', 0, headLength))

async function* decoded(text: Pieces): AsyncGenerator<Uint8Array> {
  let rest = ''
  for await (const piece of text) {
    const letters = rest + Buffer.from(piece).toString('latin1').replace(/["\s]/g, '')
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(letters))
      throw new Failure('invalid', 'The body starts as Base64, but contains other characters.')
    const whole = letters.length - (letters.length % 4)
    if (whole > 0) yield Buffer.from(letters.slice(0, whole), 'base64')
    rest = letters.slice(whole)
  }
  if (rest !== '') yield Buffer.from(rest, 'base64')
}
