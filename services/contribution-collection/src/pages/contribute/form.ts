import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { Failure, isOutage } from '@icosa/kernel'

/** As the form has it; all texts. */
export type Fields = ReadonlyMap<string, string>

export const mostFiles = 10
/** Of a file that comes through the page: who sends more has an account. */
export const mostBytes = 2 ** 30
const limits = { fieldSize: 60_000, fields: 60, files: mostFiles, fileSize: mostBytes, parts: 70, headerPairs: 20 }

/**
 * Reads a form with files, which are handed over one after the other as they come. Fields that stand before the first file
 * are there by then.
 */
export function readForm(
  request: IncomingMessage,
  onFile: (file: AsyncIterable<Uint8Array>, fields: Fields) => Promise<void>,
): Promise<Fields> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data;/i.test(type)) throw new Failure('unsupportedMediaType', 'Send the form of this page.')
  const fields = new Map<string, string>()
  return new Promise((resolve, reject) => {
    let working: Promise<void> = Promise.resolve()
    const fail = (error: unknown) => {
      request.unpipe(parser)
      reject(
        error instanceof Failure || isOutage(error)
          ? error
          : new Failure('invalid', 'The form did not arrive as a whole: send it again.'),
      )
    }
    const parser = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits })
    parser.on('field', (name, value) => {
      // Several of one name are ids, which have no spaces.
      fields.set(name, name === 'media' && fields.has(name) ? `${fields.get(name)} ${value}` : value)
    })
    parser.on('file', (_, file, name) => {
      if (!name) return void file.resume() // nobody chose one
      working = working.then(() => onFile(whole(file), fields))
      working.catch((error) => {
        file.resume()
        fail(error)
      })
    })
    parser.on('filesLimit', () => fail(new Failure('invalid', `Send ${mostFiles} files at most.`)))
    parser.on('error', fail)
    parser.on('finish', () => working.then(() => resolve(fields), fail))
    request.once('close', () => request.complete || fail(undefined))
    request.pipe(parser)
  })
}

async function* whole(file: Readable & { truncated?: boolean }): AsyncGenerator<Uint8Array> {
  for await (const piece of file) yield piece
  if (file.truncated) throw new Failure('tooLarge', `A file may have ${mostBytes / 2 ** 30} GiB at most.`)
}
