import { Failure, invalid } from '../../errors.ts'
import { interrupted } from './upload.ts'

/** Part of a form. Its content must be read before the next part; the rest is skipped. */
export interface FormPart {
  readonly name: string
  /** Base name; undefined if the part is not a file. */
  readonly fileName: string | undefined
  readonly mediaType: string
  readonly content: AsyncGenerator<Buffer>
}

const maxBoundaryLength = 70
const maxHeaderBytes = 16 * 1024

/**
 * Parses a multipart/form-data body part by part. Memory is bounded by the source's chunks and the headers of one part.
 * Throws a `Failure` for malformed or truncated input.
 */
export async function* formParts(
  source: AsyncIterator<Uint8Array>,
  contentType: string,
  { maxParts }: { readonly maxParts: number },
): AsyncGenerator<FormPart, void> {
  const reader = new Reader(source)
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`)
  for await (const _ of reader.until(delimiter)); // skips the preamble
  for (let count = 1; ; count++) {
    if (await reader.startsWith('--')) return reader.end()
    if (count > maxParts) malformed(`has more than ${maxParts} parts`)
    if ((await reader.line(maxHeaderBytes)).trim() !== '') malformed('has a part that does not begin with a line break')
    reader.isAfterDelimiter = false
    yield { ...partOf(await headersOf(reader)), content: reader.until(delimiter) }
    if (!reader.isAfterDelimiter) for await (const _ of reader.until(delimiter));
  }
}

/** Reads the source by line, or up to a delimiter. */
class Reader {
  readonly #source: AsyncIterator<Uint8Array>
  #buffer: Buffer = Buffer.from('\r\n') // the body may start with a delimiter
  isAfterDelimiter = false

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source
  }

  #next(): Promise<IteratorResult<Uint8Array>> {
    return this.#source.next().catch((error: unknown) => {
      throw interrupted(error)
    })
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#next()
    if (done) malformed('is not multipart/form-data, or ends within a part')
    this.#buffer = this.#buffer.length === 0 ? Buffer.from(value) : Buffer.concat([this.#buffer, value])
  }

  /** Drains the epilogue: to the server, a body not read to its end is still in transit. */
  async end(): Promise<void> {
    while (!(await this.#next()).done);
  }

  #take(bytes: number, skip = 0): Buffer {
    const chunk = this.#buffer.subarray(0, bytes)
    this.#buffer = this.#buffer.subarray(bytes + skip)
    return chunk
  }

  async *until(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#buffer.indexOf(delimiter)
      this.isAfterDelimiter = at >= 0
      // The end of the buffer may be the beginning of the delimiter.
      const free = Math.max(0, this.#buffer.length - delimiter.length + 1)
      const piece = at >= 0 ? this.#take(at, delimiter.length) : this.#take(free)
      if (piece.length > 0) yield piece
      if (at >= 0) return
      await this.#more()
    }
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.#buffer.length < text.length) await this.#more()
    return this.#buffer.toString('latin1', 0, text.length) === text
  }

  async line(maxBytes: number): Promise<string> {
    for (;;) {
      const at = this.#buffer.indexOf('\r\n')
      if ((at < 0 ? this.#buffer.length : at) > maxBytes) malformed(`has headers of more than ${maxHeaderBytes} bytes`)
      if (at >= 0) return this.#take(at, 2).toString('utf8')
      await this.#more()
    }
  }
}

async function headersOf(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const headers = new Map<string, string>()
  for (let left = maxHeaderBytes; ; ) {
    const line = await reader.line(left)
    if (line === '') return headers
    left -= Buffer.byteLength(line) + 2
    const colon = line.indexOf(':')
    if (colon < 1) malformed('has a part with a header without a name')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
}

const parameter = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

function partOf(headers: ReadonlyMap<string, string>): Omit<FormPart, 'content'> {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = new Map<string, string>()
  // Browsers write a quote as %22; other clients escape it, but Windows paths contain backslashes as well.
  for (const [, key = '', quoted, plain = ''] of disposition.matchAll(parameter))
    parameters.set(key.toLowerCase(), quoted?.replaceAll('\\"', '"') ?? plain)
  const type = headers.get('content-type')
  const encoded = decoded(parameters.get('filename*'))
  const fileName = encoded ?? parameters.get('filename')
  const isFile = fileName !== undefined || type === 'application/octet-stream'
  return {
    name: /^form-data\s*(;|$)/i.test(disposition) ? (parameters.get('name') ?? '') : '',
    fileName: isFile ? baseName(fileName ?? '') : undefined,
    mediaType: type ?? 'text/plain',
  }
}

/** RFC 5987: `UTF-8''%e2%82%ac`. */
function decoded(value: string | undefined): string | undefined {
  const [, text] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? []
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name === '.' || name === '..' ? '' : name
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  if (!/^multipart\/form-data\s*;/i.test(contentType) || boundary === '')
    throw new Failure('unsupportedMediaType', 'Send multipart/form-data with a boundary.')
  if (boundary.length > maxBoundaryLength) malformed(`has a boundary longer than ${maxBoundaryLength} characters`)
  return boundary
}

function malformed(message: string): never {
  return invalid([{ at: 'body', message }])
}
