import { type ObjectSchema, type Properties, type Schema, Type } from './schema.ts'

/** Streamed bytes: readable once, never in memory as a whole. */
export interface Upload extends AsyncIterable<Uint8Array> {
  readonly mediaType: string
  /** Announced length; undefined if unknown. */
  readonly size: number | undefined
  /** Base name; only for parts of a form. */
  readonly fileName?: string | undefined
}

/** A file in memory. */
export interface Bytes {
  readonly mediaType: string
  readonly content: Uint8Array
  readonly fileName?: string | undefined
}

export interface BytesOptions {
  /** `image/png`, `image/*`, or `*` followed by `/*` for all. */
  readonly types: readonly string[]
  /** Defaults to the limit of all bodies. */
  readonly maxBytes?: number
}

export interface StreamOptions extends BytesOptions {
  /** Whether senders must announce the length. */
  readonly lengthRequired?: true
}

export interface MultipartOptions {
  /** Of all names together. Defaults to the limit of all forms. */
  readonly maxParts?: number
}

/** Bodies other than JSON and plain forms. */
export type BodyKind =
  | ({ readonly is: 'bytes' } & BytesOptions)
  | ({ readonly is: 'stream' } & StreamOptions)
  | ({ readonly is: 'multipart' } & MultipartOptions)

const mark = 'x-icosa-body'
const ofKind = <T>(kind: BodyKind, keywords: object = {}) => ({ ...keywords, [mark]: kind }) as unknown as Schema<T>

/** A body, or a part of a multipart form, that is read into memory. */
export const bytes = (options: BytesOptions) => ofKind<Bytes>({ is: 'bytes', ...options })

/**
 * A body that a handler reads as a stream, in the first part of `withPreparation`. In a multipart form it must come
 * last, so that all other parts are known by then.
 */
export const stream = (options: StreamOptions) => ofKind<Upload>({ is: 'stream', ...options })

/** A form with texts and files: `multipart('NewPicture', { title: Type.String(), picture: bytes({ types }) })`. */
export function multipart<P extends Properties>(title: string, properties: P, options: MultipartOptions = {}) {
  return ofKind({ is: 'multipart', ...options }, Type.Object(properties, { title })) as unknown as ObjectSchema<P>
}

/** A binary reply: a file, a range of it, or a stream. */
export const download = ({ types }: Pick<BytesOptions, 'types'>) => ofKind<Uint8Array>({ is: 'bytes', types })

export function bodyKind(schema: Schema | null | undefined): BodyKind | undefined {
  return (schema as { readonly [mark]?: BodyKind } | null | undefined)?.[mark]
}

/** The file parts of a multipart form; `many` if a name may occur several times. */
export function fileParts(schema: Schema): { name: string; kind: BodyKind; many: boolean }[] {
  const { properties = {} } = schema as Partial<ObjectSchema<Properties>>
  return Object.entries(properties).flatMap(([name, property]) => {
    const { items } = property as { readonly items?: Schema }
    const kind = bodyKind(items ?? property)
    return kind ? [{ name, kind, many: items !== undefined }] : []
  })
}
