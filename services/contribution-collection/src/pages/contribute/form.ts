import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Failure, type FormPart, formParts } from '@icosa/kernel'

/** As the form has it; all texts. */
export type Fields = ReadonlyMap<string, string>

export const maxFiles = 10
/** Of a file that comes through the page: who sends more has an account. */
export const maxFileBytes = 2 ** 30
const maxParts = 70
const maxFieldBytes = 60_000

/**
 * Reads a form with files, which are handed over one after the other as they come. Fields that stand before the first file
 * are there by then.
 */
export async function readForm(
  request: IncomingMessage,
  onFile: (file: AsyncIterable<Uint8Array>, fields: Fields) => Promise<void>,
): Promise<Fields> {
  const type = request.headers['content-type'] ?? ''
  const fields = new Map<string, string>()
  let files = 0
  for await (const part of formParts(request.iterator({ destroyOnReturn: false }), type, { maxParts })) {
    const { name, fileName } = part
    if (fileName === '') continue // nobody chose one
    if (fileName !== undefined) {
      if (++files > maxFiles) throw new Failure('invalid', `Send ${maxFiles} files at most.`)
      await onFile(within(part, maxFileBytes, `A file may have ${maxFileBytes / 2 ** 30} GiB at most.`), fields)
      continue
    }
    const value = await text(within(part, maxFieldBytes, `A text may have ${maxFieldBytes} bytes at most.`))
    // Several of one name are ids, which have no spaces.
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
