import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Busboy } from '@fastify/busboy'
import { type BytesOptions, fileParts, type Schema } from '@icosa/contract'
import { Failure, invalid } from '../../errors.ts'
import { type Text, textReader } from '../input/validate.ts'
import { limits } from '../limits.ts'
import { bounded, checkType, interrupted, tooLarge } from './upload.ts'

type Source = Uint8Array | IncomingMessage | undefined

const isRequest = (source: Source): source is IncomingMessage => source !== undefined && !(source instanceof Uint8Array)

/**
 * Reads a form with files by its schema. A file is read as a whole, within its limit; one that is a stream is handed over
 * as soon as it begins, and nothing may come after it.
 */
export function multipartReader(schema: Schema, maxBytes: number) {
  const files = new Map(fileParts(schema).map((part) => [part.name, part]))
  const readFields = textReader(schema, 'body')
  return async (source: Source, contentType: string) =>
    readFields(await new Form(files, maxBytes).read(source, contentType))
}

type Files = ReadonlyMap<string, ReturnType<typeof fileParts>[number]>

class Form {
  readonly #files: Files
  readonly #maxBytes: number
  readonly #values = new Map<string, unknown[]>()
  readonly #reading: Promise<void>[] = []
  /** The file that the handler reads. */
  #streamed: Readable | undefined
  #fail: (error: unknown) => void = () => {}
  /** Nothing more is parsed; what still comes can be thrown away by whoever answers. */
  #letGo: () => void = () => {}

  constructor(files: Files, maxBytes: number) {
    this.#files = files
    this.#maxBytes = maxBytes
  }

  read(source: Source, contentType: string): Promise<Text> {
    return new Promise((resolve, reject) => {
      const parser = parserOf(contentType)
      const take = () => resolve(this.#taken())
      this.#fail = (error) => {
        reject(error)
        this.#streamed?.destroy(error as Error)
        this.#letGo()
      }
      // Bytes are piped, too: a parser that was ended after it was let go throws where nobody catches.
      const bytes = isRequest(source) ? this.#follow(source) : Readable.from([Buffer.from(source ?? [])])
      this.#letGo = () => void bytes.unpipe(parser)
      parser.on('field', (name, value, _, isCut) => this.#try(() => this.#addField(name, value, isCut)))
      parser.on('file', (name, file, fileName, _, type) =>
        this.#try(() => this.#addFile(name, file, fileName, type, take)),
      )
      for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
        parser.on(limit, () => this.#try(() => wrong(`has more than ${limits.fields} parts`)))
      parser.on('error', (error) => this.#try(() => wrong(`is not multipart/form-data: ${(error as Error).message}`)))
      this.#watchEnd(parser)
      parser.on('finish', () => Promise.all(this.#reading).then(take, this.#fail))
      bytes.pipe(parser)
    })
  }

  /**
   * The parser never finishes if the last part has no end of its headers. It had all bytes and its files were read: what
   * does not follow at once never will.
   */
  #watchEnd(parser: ReturnType<typeof parserOf>): void {
    let files = 0
    let hasAllBytes = false
    let isFinished = false
    const check = () => {
      if (!hasAllBytes || files > 0) return
      setImmediate(() => isFinished || this.#try(() => wrong('ends within a part')))
    }
    parser.on('file', (_, file) => {
      files++
      file.once('end', () => {
        files--
        check()
      })
    })
    parser.once('prefinish', () => {
      hasAllBytes = true
      check()
    })
    parser.once('finish', () => {
      isFinished = true
    })
  }

  /** Counts what comes, and notices when nothing more will. */
  #follow(source: IncomingMessage): IncomingMessage {
    let size = 0
    source.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > this.#maxBytes) this.#try(() => tooLarge(this.#maxBytes))
    })
    source.once('close', () => {
      if (!source.complete) this.#fail(interrupted(undefined))
    })
    return source
  }

  /** Events have nobody who would catch what they throw. */
  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(error)
    }
  }

  #addField(name: string | undefined, value: string, isCut: boolean): void {
    this.#check(name)
    if (isCut) tooLarge(limits.bodyBytes)
    if (this.#files.has(name)) wrong('must be a file', name)
    this.#add(name, value)
  }

  #addFile(
    name: string | undefined,
    file: Readable,
    fileName: string | undefined,
    type: string,
    take: () => void,
  ): void {
    file.on('error', () => {}) // whoever reads it is told
    this.#check(name)
    const part = this.#files.get(name)
    if (!part) return void file.resume()
    const options = part.kind as BytesOptions
    const { maxBytes = this.#maxBytes } = options
    const mediaType = checkType(type, options.types)
    const pieces = () => this.#pieces(file, maxBytes)
    if (part.kind.is === 'stream') {
      this.#add(name, { mediaType, size: undefined, fileName, [Symbol.asyncIterator]: pieces })
      this.#streamed = file
      take()
      return
    }
    this.#reading.push(buffer(pieces()).then((content) => this.#add(name, { mediaType, content, fileName })))
    this.#reading.at(-1)?.catch(this.#fail)
  }

  async *#pieces(file: Readable, maxBytes: number): AsyncGenerator<Uint8Array> {
    let isWhole = false
    try {
      yield* bounded(file.iterator({ destroyOnReturn: false }), maxBytes)
      isWhole = true
    } finally {
      if (!isWhole) this.#letGo()
    }
  }

  #check(name: string | undefined): asserts name is string {
    if (name === undefined || name === '') wrong('has a part without a name')
    if (name.length > limits.fieldNameLength)
      wrong(`has a part whose name is longer than ${limits.fieldNameLength} letters`)
    if (this.#streamed) wrong(`has the part ${name} after its file, which must come last`)
  }

  #add(name: string, value: unknown): void {
    const values = this.#values.get(name)
    if (values) values.push(value)
    else this.#values.set(name, [value])
  }

  #taken(): Text {
    return Object.fromEntries([...this.#values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
  }
}

function wrong(message: string, name?: string): never {
  invalid([{ at: name === undefined ? 'body' : `body/${name}`, message }])
}

const longestBoundary = 70

function parserOf(contentType: string) {
  const boundary = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType)
  if (!/^multipart\/form-data\s*;/i.test(contentType) || !boundary)
    throw new Failure('unsupportedMediaType', 'Send multipart/form-data with a boundary.')
  if ((boundary[1] ?? boundary[2] ?? '').length > longestBoundary)
    wrong(`has a boundary longer than ${longestBoundary} letters`)
  return new Busboy({
    headers: { 'content-type': contentType },
    limits: {
      fieldSize: limits.bodyBytes,
      fields: limits.fields,
      files: limits.fields,
      parts: limits.fields,
      headerPairs: 20,
      headerSize: 16 * 1024,
    },
  })
}
