import type { IncomingMessage } from 'node:http'
import { type BodyKind, bodyKind, fileParts, type Operation } from '@icosa/contract'
import type { NulSchema } from '../../db/storable.ts'
import type { DialectServer } from '../../dialect.ts'
import { Failure, invalid } from '../../errors.ts'
import { closed, ignoredRemover } from '../input/fields.ts'
import { formReader, lazyValidator, type Text } from '../input/validate.ts'
import { limits } from '../limits.ts'
import { parseJson } from './json.ts'
import { multipartReader } from './multipart.ts'
import { bytesOf, essence, uploadOf } from './upload.ts'

/** How the body reaches its operation. */
export interface BodyPlan {
  readonly maxBytes: number
  /** Maximum in memory; all of it by default. */
  readonly heldBytes?: number
  /** Whether the handler reads it as a stream. */
  readonly isStream: boolean
  /** Whether nothing is read before the reader asks for it. */
  readonly isRaw: boolean
}

export function bodyPlan({ body, maxBytes }: Operation): BodyPlan {
  const kind = bodyKind(body)
  const parts = body && kind?.is === 'multipart' ? fileParts(body).map((part) => part.kind) : []
  const isStream = [kind, ...parts].some((part) => part?.is === 'stream')
  const limit = maxBytes ?? (kind && 'maxBytes' in kind ? kind.maxBytes : undefined) ?? limits.bodyBytes + sum(parts)
  if (!isStream && limit > limits.wholeBodyBytes)
    throw new Error(`A body of ${limit} bytes is too large to be read into memory: use a stream.`)
  const heldBytes = kind?.is === 'stream' ? limits.streamBytes : limits.bodyBytes + limits.streamBytes
  return { maxBytes: limit, isStream, isRaw: isStream || kind?.is === 'multipart', ...(isStream && { heldBytes }) }
}

const sum = (kinds: readonly BodyKind[]) =>
  kinds.reduce((all, kind) => all + ('maxBytes' in kind ? (kind.maxBytes ?? 0) : 0), 0)

/** Bodies are read as they are: their limits are of bytes that arrive. */
export function refuseEncoded(encoding = 'identity'): void {
  if (encoding.toLowerCase() !== 'identity')
    throw new Failure(
      'unsupportedMediaType',
      `Send the body without Content-Encoding; ${encoding.slice(0, 40)} is not read.`,
    )
}

/** Reads a body by its schema. `body` is the bytes, or the request itself if the plan is raw. */
export type ReadBody = (body: unknown, contentType: string) => unknown

/** A dialect may normalize a value before it is validated. */
export function bodyReader(
  operation: Operation,
  { normalize, sentAs }: Pick<DialectServer, 'normalize' | 'sentAs'> = {},
): ReadBody {
  const { body: schema, bodyTypes: types = [], dialect } = operation
  if (!schema) return () => undefined
  const { maxBytes } = bodyPlan(operation)
  const kind = bodyKind(schema)
  if (kind?.is === 'bytes') return (body, type) => bytesOf(body, type, kind)
  if (kind?.is === 'stream') return (body) => uploadOf((body ?? nothing) as IncomingMessage, { ...kind, maxBytes })
  if (kind?.is === 'multipart') {
    const read = multipartReader(schema, maxBytes)
    return (body, type) => read(body as IncomingMessage | undefined, type)
  }
  const check = lazyValidator(schema, 'body', closed)
  const withoutIgnored = ignoredRemover(schema)
  const readForm = formReader(schema)
  const readParts = types.includes('multipart/form-data') ? multipartReader(schema, maxBytes) : undefined
  return (bytes, contentType) => {
    const type = essence(contentType)
    if (type === 'multipart/form-data' && readParts) return readParts(bytes as Uint8Array | undefined, contentType)
    if (type === urlencoded && types.includes(urlencoded)) return readForm(fieldsOf(bytes))
    const sent = dialect.bodyOptional && isEmpty(bytes) ? {} : readJson(bytes, contentType, schema as NulSchema)
    const normal = normalize ? normalize(sent, schema) : sent
    const value = withoutIgnored(normal)
    const details = check(value)
    if (details.length === 0) return value
    return invalid(
      sentAs
        ? details.map((detail) => ({ ...detail, at: renamed(detail.at, sentAs.bind(undefined, sent, schema)) }))
        : details,
    )
  }
}

/** `body/isActive/...` with the name that the caller sent. */
const renamed = (at: string, sentAs: (field: string) => string): string =>
  at.replace(/^body\/([^/]+)/, (_, field: string) => `body/${sentAs(field)}`)

const urlencoded = 'application/x-www-form-urlencoded'

function fieldsOf(bytes: unknown): Text {
  const byName = Map.groupBy(new URLSearchParams(isEmpty(bytes) ? '' : String(bytes)), ([name]) => name)
  return Object.fromEntries([...byName].map(([name, entries]) => [name, unwrapped(entries.map(([, value]) => value))]))
}

const unwrapped = <T>(values: T[]) => (values.length === 1 ? values[0] : values)

/** The body of a request without one. */
const nothing = {
  headers: {},
  iterator: async function* () {},
}

const isEmpty = (bytes: unknown): bytes is undefined => !Buffer.isBuffer(bytes) || bytes.length === 0

function readJson(bytes: unknown, contentType: string, schema: NulSchema): unknown {
  if (contentType !== '' && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType))
    invalid([{ at: 'headers/content-type', message: `must be application/json, not ${contentType}` }])
  if (isEmpty(bytes)) invalid([{ at: 'body', message: 'is required' }])
  return parseJson(bytes as Buffer, schema)
}
