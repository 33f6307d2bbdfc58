import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import type { Clock } from './clock/clock.ts'
import type { Database } from './db/db.ts'
import { Failure, notFound } from './errors.ts'
import type { FileSource } from './http/reply/file.ts'

/** What a listing knows of an object. */
export interface BlobEntry {
  readonly key: string
  readonly size: number
  /** Opaque: it changes when the content changes. Not a digest one may count on, since each store makes its own. */
  readonly etag: string
  readonly modifiedAt: Date
}

export interface BlobInfo extends BlobEntry {
  readonly contentType: string
}

/** What a store knows when it has taken an object in. Not the time: S3 would need a second request for it. */
export type StoredBlob = Omit<BlobInfo, 'modifiedAt'>

export interface PutOptions {
  readonly contentType?: string
  readonly ifAbsent?: boolean
}

/** Both ends count, as in HTTP. An `end` past the last byte means the last byte. */
export interface ByteRange {
  readonly start?: number
  readonly end?: number
}

export interface PageOptions {
  /** 1 to 1,000. */
  readonly limit: number
  readonly after?: string
}

export type SignedUrlOptions =
  | { readonly method: 'GET'; readonly expiresInSeconds: number }
  | { readonly method: 'PUT'; readonly expiresInSeconds: number; readonly contentType?: string }

/** Objects of 0 bytes to many gigabytes, by key. */
export interface Blobs {
  /**
   * Atomic, and durable when it resolves. With `ifAbsent` an object that is there stays: `alreadyExists`; in S3 such an
   * object has at most 5 GiB, and any other 78 GiB.
   */
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob>
  /** The caller reads `body` to its end or destroys it. `notFound`; `invalid` for a range outside the object. */
  get(key: string, range?: ByteRange): Promise<{ info: BlobInfo; body: Readable }>
  head(key: string): Promise<BlobInfo | undefined>
  /** No error when it is not there. */
  delete(key: string): Promise<void>
  /** In the order of the keys' UTF-8 bytes, after the key `after`, which need not exist. `next` is the next `after`. */
  list(prefix: string, options: PageOptions): Promise<{ items: BlobEntry[]; next?: string }>
  /** The request that uses a PUT URL carries the content type it was signed for, and no other. */
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>
}

/** How a node gets its blobs: the stores themselves are adapters outside the kernel. */
export type OpenBlobs = (options: OpenBlobsOptions) => Promise<OpenedBlobs>

export interface OpenBlobsOptions {
  readonly clock: Clock
  readonly signingKey: Uint8Array
  readonly publicUrl: () => string
  /** Of the node; a command has none for it. */
  readonly database?: Database
}

/** `full`: it takes no new objects, while those that it has can be read and deleted. */
export type BlobState = 'ready' | 'full' | 'unreachable'

export interface OpenedBlobs {
  readonly blobs: Blobs
  /** Whether it takes new objects, as of a few seconds ago. */
  state?(): BlobState
  /** Serves the signed URLs of a store that cannot do so itself. */
  readonly route?: FastifyPluginAsync
}

/** The blobs of one service and tenant, under keys of their own: those of others are out of reach. */
export interface OwnBlobs extends Blobs {
  /** What the service keeps for no tenant in particular. */
  readonly shared: Blobs
}

/** Under which the blobs of a service lie, or those of one of its tenants. No tenant's name has an @ in its encoding. */
export function blobPrefix(service: string, tenant?: string): string {
  return tenant === undefined ? `${service}/` : `${service}/${encodeURIComponent(tenant) || '@shared'}/`
}

/** With a function, the tenant is asked for when its blobs are used: an anonymous caller has shared ones only. */
export function ownBlobs(blobs: Blobs, service: string, tenant: string | (() => string)): OwnBlobs {
  const rootOf = () => blobPrefix(service, typeof tenant === 'string' ? tenant : tenant())
  return { ...below(blobs, rootOf), shared: below(blobs, () => blobPrefix(service, '')) }
}

function below(blobs: Blobs, rootOf: () => string): Blobs {
  const own = <Entry extends { readonly key: string }>(entry: Entry) => ({
    ...entry,
    key: entry.key.slice(rootOf().length),
  })
  return {
    put: async (key, ...rest) => own(await blobs.put(rootOf() + key, ...rest)),
    async get(key, range) {
      const { info, body } = await blobs.get(rootOf() + key, range)
      return { info: own(info), body }
    },
    async head(key) {
      const info = await blobs.head(rootOf() + key)
      return info && own(info)
    },
    delete: (key) => blobs.delete(rootOf() + key),
    async list(prefix, { limit, after = '' }) {
      const root = rootOf()
      const { items, next } = await blobs.list(root + prefix, { limit, after: root + after })
      return { items: items.map(own), ...(next !== undefined && { next: next.slice(root.length) }) }
    },
    signedUrl: (key, options) => blobs.signedUrl(rootOf() + key, options),
  }
}

/** A blob as a file that a handler answers: `file(await blobFile(blobs, key))`. */
export async function blobFile(blobs: Blobs, key: string, fileName?: string): Promise<FileSource> {
  const { size, etag, modifiedAt, contentType } = (await blobs.head(key)) ?? notFound('blob', key)
  return {
    size,
    etag,
    modifiedAt,
    fileName,
    mediaType: contentType,
    async open(range) {
      if (size === 0) return Readable.from([])
      const { info, body } = await blobs.get(key, range)
      if (info.etag === etag) return body
      body.destroy()
      throw new Failure('conflict', 'The file has just been replaced: request it again.')
    },
  }
}
