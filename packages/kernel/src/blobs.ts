import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import type { Clock } from './clock/clock.ts'
import type { Database } from './db/db.ts'
import { Failure, notFound } from './errors.ts'
import type { FileSource } from './http/reply/file.ts'

/** One entry of a listing. */
export interface BlobEntry {
  readonly key: string
  readonly size: number
  /** Opaque: changes with the content. Not a portable digest, since every store computes its own. */
  readonly etag: string
  readonly modifiedAt: Date
}

export interface BlobInfo extends BlobEntry {
  readonly contentType: string
}

/** Properties of a stored object. Without the time: S3 would need a second request for it. */
export type StoredBlob = Omit<BlobInfo, 'modifiedAt'>

export interface PutOptions {
  readonly contentType?: string
  readonly ifAbsent?: boolean
}

/** Inclusive at both ends, as in HTTP. An `end` past the last byte means the last byte. */
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
   * Stores an object atomically; it is durable once the promise resolves. With `ifAbsent`, an existing object is kept
   * (`alreadyExists`), and S3 limits the new one to 5 GiB instead of 78 GiB.
   */
  put(key: string, body: Uint8Array | AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredBlob>
  /** The caller reads `body` to its end or destroys it. A range outside the object is `invalid`. */
  get(key: string, range?: ByteRange): Promise<{ info: BlobInfo; body: Readable }>
  head(key: string): Promise<BlobInfo | undefined>
  /** Idempotent. */
  delete(key: string): Promise<void>
  /** Lists in UTF-8 byte order, after the key `after`, which need not exist. `next` is the next `after`. */
  list(prefix: string, options: PageOptions): Promise<{ items: BlobEntry[]; next?: string }>
  /** A request to a PUT URL must carry the signed content type. */
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>
}

/** Opens a node's blob store. Stores are adapters outside the kernel. */
export type OpenBlobs = (options: OpenBlobsOptions) => Promise<OpenedBlobs>

export interface OpenBlobsOptions {
  readonly clock: Clock
  readonly signingKey: Uint8Array
  readonly publicUrl: () => string
  /** The node's database; commands have none. */
  readonly database?: Database
}

/** `full`: new objects are refused, existing ones can be read and deleted. */
export type BlobState = 'ready' | 'full' | 'unreachable'

export interface OpenedBlobs {
  readonly blobs: Blobs
  /** Whether new objects are accepted, as of a few seconds ago. */
  state?(): BlobState
  /** Serves signed URLs for a store that cannot do so itself. */
  readonly route?: FastifyPluginAsync
}

/** Blobs of one service and tenant. Their key prefix keeps all others out of reach. */
export interface OwnBlobs extends Blobs {
  /** Blobs of the service that belong to no tenant. */
  readonly shared: Blobs
}

/** Key prefix of a service's blobs, or of one tenant's. `@shared` cannot clash: encoded tenants contain no @. */
export function blobPrefix(service: string, tenant?: string): string {
  return tenant === undefined ? `${service}/` : `${service}/${encodeURIComponent(tenant) || '@shared'}/`
}

/** All blobs with a prefix, page by page. A blob may be deleted once it was returned. */
export async function* blobEntries(blobs: Pick<Blobs, 'list'>, prefix: string): AsyncGenerator<BlobEntry> {
  let after: string | undefined
  do {
    const { items, next }: Awaited<ReturnType<Blobs['list']>> = await blobs.list(prefix, {
      limit: 1000,
      ...(after !== undefined && { after }),
    })
    yield* items
    after = next
  } while (after !== undefined)
}

/** A tenant passed as a function is resolved on use: anonymous callers have shared blobs only. */
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

/** A blob as a handler's reply: `file(await blobFile(blobs, key))`. */
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
