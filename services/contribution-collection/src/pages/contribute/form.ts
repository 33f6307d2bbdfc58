import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Failure, type FormPart, formParts } from '@icosa/kernel'

export type Fields = ReadonlyMap<string, string>

export const maxFiles = 10
/** Larger files need an account. */
export const maxFileBytes = 2 ** 30
const maxParts = 70
const maxFieldBytes = 60_000

/** Reads a form, passing on each file as it arrives, with the fields before it. */
export async function readForm(
  request: IncomingMessage,
  onFile: (file: AsyncIterable<Uint8Array>, fields: Fields) => Promise<void>,
): Promise<Fields> {
  const type = request.headers['content-type'] ?? ''
  const fields = new Map<string, string>()
  let files = 0
  for await (const part of formParts(request.iterator({ destroyOnReturn: false }), type, { maxParts })) {
    const { name, fileName } = part
    if (fileName === '') continue // no file chosen
    if (fileName !== undefined) {
      if (++files > maxFiles) throw new Failure('invalid', `Send at most ${maxFiles} files.`)
      await onFile(within(part, maxFileBytes, `A file may have at most ${maxFileBytes / 2 ** 30} GiB.`), fields)
      continue
    }
    const value = await text(within(part, maxFieldBytes, `A text may have at most ${maxFieldBytes} bytes.`))
    // Repeated `media` fields are ids, which contain no spaces.
    fields.set(name, name === 'media' && fields.has(name) ? `${fields.get(name)} ${value}` : value)
  }
  return fields
}

async function* within({ content }: FormPart, maxBytes: number, refusal: string): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of content) {
    size += piece.length
    if (size > maxBytes) throw new Failure('tooLarge', refusal)
    yield piece
  }
}
