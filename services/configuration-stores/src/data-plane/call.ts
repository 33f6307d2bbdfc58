import type { Schema } from '@icosa/contract'
import { invalid, lazyValidator, type Platform, parseJson } from '@icosa/kernel'
import type { Identity, Revision } from '../key-values/store.ts'
import type { Read } from '../key-values/together.ts'
import type { OpenStore } from './directory.ts'
import type { Query } from './query.ts'
import type { Headers } from './signature.ts'

/** A request of the data plane, let in to its store. */
export interface Call {
  readonly platform: Platform
  readonly store: OpenStore
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly headers: Headers
  readonly body: Uint8Array
  /** What holds now of a key-value, read together with what other requests want. */
  readonly findKeyValue: Read<OpenStore, Identity, Revision>
  /** The address as the caller knows it. */
  address(): URL
}

/** Of what kind a body is: the end of its media type. */
export type BodyKind = 'kv' | 'kvset' | 'keyset' | 'labelset' | 'snapshot' | 'snapshotset' | 'json'

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly kind?: BodyKind
  readonly body?: unknown
  /** The number of the change that the answer tells of, for clients that wait to see their own. */
  readonly sequence?: string
}

export type Handle = (call: Call) => Promise<Answer>

const mediaType = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Reads JSON bodies by a schema. */
export function jsonReader<T>(schema: Schema<T>): (call: Call) => T {
  const check = lazyValidator(schema, 'body')
  return ({ body, headers }) => {
    const type = String(headers['content-type'] ?? 'application/json')
    if (!mediaType.test(type))
      invalid([{ at: 'headers/content-type', message: `must be a JSON type such as application/json, not ${type}` }])
    const value = body.length === 0 ? {} : parseJson(body)
    const wrong = check(value)
    if (wrong.length > 0) invalid(wrong)
    return value as T // the schema was checked
  }
}
