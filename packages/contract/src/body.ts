import { type ObjectSchema, type Properties, type Schema, Type } from './schema.ts'

/** Bytes as they come. They can be read once, and are never in memory as a whole. */
export interface Upload extends AsyncIterable<Uint8Array> {
  readonly mediaType: string
  /** As announced; undefined if the sender does not know it yet. */
  readonly size: number | undefined
  /** Without folders; only a part of a form has one. */
  readonly fileName?: string | undefined
}

/** A file that was read as a whole. */
export interface Bytes {
  readonly mediaType: string
  readonly content: Uint8Array
  readonly fileName?: string | undefined
}

export interface BytesOptions {
  /** `image/png`, `image/*`, or `*` followed by `/*` for all. */
  readonly types: readonly string[]
  /** The default is what any body may have. */
  readonly maxBytes?: number
}

export interface StreamOptions extends BytesOptions {
  /** Whether senders must say the length first. */
  readonly lengthRequired?: true
}

export interface MultipartOptions {
  /** Of all names together. The default is what any form may have. */
  readonly maxParts?: number
}

/** What a body is when it is not JSON or a form of texts. */
export type BodyKind =
  | ({ readonly is: 'bytes' } & BytesOptions)
  | ({ readonly is: 'stream' } & StreamOptions)
  | ({ readonly is: 'multipart' } & MultipartOptions)

const mark = 'x-icosa-body'
const kindred = <T>(kind: BodyKind, keywords: object = {}) => ({ ...keywords, [mark]: kind }) as unknown as Schema<T>

/** A body, or a part of a multipart form, that is read as a whole. */
export const bytes = (options: BytesOptions) => kindred<Bytes>({ is: 'bytes', ...options })

/**
 * A body that a handler reads as it comes, in the first part of `before`. As a part of a multipart form it comes last:
 * whatever stands before it is known by then.
 */
export const stream = (options: StreamOptions) => kindred<Upload>({ is: 'stream', ...options })

/** A form with texts and files: `multipart('NewPicture', { title: Type.String(), picture: bytes({ types }) })`. */
export function multipart<P extends Properties>(title: string, properties: P, options: MultipartOptions = {}) {
  return kindred({ is: 'multipart', ...options }, Type.Object(properties, { title })) as unknown as ObjectSchema<P>
}

/** A reply of bytes: a file, whole or in part, or a stream. */
export const download = ({ types }: Pick<BytesOptions, 'types'>) => kindred<Uint8Array>({ is: 'bytes', types })

export function bodyKind(schema: Schema | null | undefined): BodyKind | undefined {
  return (schema as { readonly [mark]?: BodyKind } | null | undefined)?.[mark]
}

/** The parts of a multipart form that are files, by their names; `many` if there can be several of one name. */
export function fileParts(schema: Schema): { name: string; kind: BodyKind; many: boolean }[] {
  const { properties = {} } = schema as Partial<ObjectSchema<Properties>>
  return Object.entries(properties).flatMap(([name, property]) => {
    const { items } = property as { readonly items?: Schema }
    const kind = bodyKind(items ?? property)
    return kind ? [{ name, kind, many: items !== undefined }] : []
  })
}
