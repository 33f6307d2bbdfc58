import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type BytesOptions, bodyKind, fileParts, type Schema } from '@icosa/contract'
import { invalid } from '../../errors.ts'
import { formReader, type Text } from '../input/validate.ts'
import { limits } from '../limits.ts'
import { type FormPart, formParts } from './parts.ts'
import { bounded, checkType } from './upload.ts'

type Source = Uint8Array | IncomingMessage | undefined

/**
 * Reads a multipart form by its schema. Files are read into memory, within their limits; a streamed file is handed over
 * as soon as it begins, and must come last.
 */
export function multipartReader(schema: Schema, maxBytes: number) {
  const files = new Map(fileParts(schema).map((part) => [part.name, part]))
  const readFields = formReader(schema)
  const kind = bodyKind(schema)
  const maxParts = (kind?.is === 'multipart' ? kind.maxParts : undefined) ?? limits.fields
  return async (source: Source, contentType: string) => {
    const parts = formParts(bounded(piecesOf(source), maxBytes), contentType, { maxParts })
    return readFields(await valuesOf(parts, files, maxBytes))
  }
}

/** Does not close the connection when reading stops early: an answer is still to be sent. */
function piecesOf(source: Source): AsyncIterator<Uint8Array> {
  if (source !== undefined && !(source instanceof Uint8Array)) return source.iterator({ destroyOnReturn: false })
  return (async function* () {
    yield source ?? new Uint8Array()
  })()
}

type Parts = AsyncGenerator<FormPart, void>
type Files = ReadonlyMap<string, ReturnType<typeof fileParts>[number]>

async function valuesOf(parts: Parts, files: Files, maxFormBytes: number): Promise<Text> {
  const values = new Map<string, unknown[]>()
  const add = (name: string, value: unknown) => values.set(name, [...(values.get(name) ?? []), value])
  // Not `for await`, which would end the iterator with the loop: a streamed file is read later.
  for (let next = await parts.next(); !next.done; next = await parts.next()) {
    const part = next.value
    const { name, fileName } = part
    checkName(name)
    const file = files.get(name)
    if (fileName === undefined) {
      if (file) wrong('must be a file', name)
      add(name, (await whole(part, limits.bodyBytes)).toString('utf8'))
    } else if (file) {
      const { types, maxBytes = maxFormBytes } = file.kind as BytesOptions
      const mediaType = checkType(part.mediaType, types)
      if (file.kind.is === 'stream') {
        const read = () => streamed(part, parts, maxBytes)
        add(name, { mediaType, size: undefined, fileName, [Symbol.asyncIterator]: read })
        break
      }
      add(name, { mediaType, content: await whole(part, maxBytes), fileName })
    } else wrong('is not a file of this form', name)
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

const whole = ({ content }: FormPart, maxBytes: number): Promise<Buffer> => buffer(bounded(content, maxBytes))

async function* streamed({ content }: FormPart, parts: Parts, maxBytes: number): AsyncGenerator<Uint8Array> {
  yield* bounded(content, maxBytes)
  const { value: next } = await parts.next()
  if (next) wrong(`has the part ${next.name} after the streamed file, which must be last`)
}

function checkName(name: string): void {
  if (name === '') wrong('has a part without a name')
  if (name.length > limits.fieldNameLength)
    wrong(`has a part whose name is longer than ${limits.fieldNameLength} characters`)
}

function wrong(message: string, name?: string): never {
  invalid([{ at: name === undefined ? 'body' : `body/${name}`, message }])
}
