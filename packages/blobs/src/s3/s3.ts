import { Readable } from 'node:stream'
import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3'
import { type BlobEntry, type BlobInfo, type Blobs, type ByteRange, Failure } from '@icosa/kernel'
import {
  checkContentType,
  checkKey,
  checkPage,
  checkRange,
  checkSignedUrlOptions,
  defaultContentType,
  isBlobKey,
  maxKeyBytes,
  rangeNotSatisfiable,
} from '../checks.ts'
import { upload } from './upload.ts'

export interface S3Options {
  readonly bucket: string
  readonly region: string
  /** For servers other than Amazon's. */
  readonly endpoint?: string
  /** Defaults to the SDK's lookup: environment, shared configuration files, machine role. */
  readonly credentials?: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken?: string
  }
  /** Prepended to every key, so that several installations can share a bucket. */
  readonly prefix?: string
  readonly forcePathStyle?: boolean
}

const maxS3KeyLength = 1024

/** Blob store in a bucket of Amazon S3 or a compatible server. */
export async function s3Blobs(options: S3Options): Promise<Blobs> {
  const { bucket: Bucket, prefix: root = '' } = options
  if (Buffer.byteLength(root) > maxS3KeyLength - maxKeyBytes) {
    throw new Failure('invalid', `The prefix for S3 has at most ${maxS3KeyLength - maxKeyBytes} bytes; shorten it.`)
  }
  const { GetObjectCommand, PutObjectCommand } = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const s3 = await connect(options)
  const at = (key: string) => {
    checkKey(key)
    return { Bucket, Key: root + key }
  }

  return {
    async put(key, body, { contentType = defaultContentType, ifAbsent = false } = {}) {
      const target = { ...at(key), ContentType: contentType }
      checkContentType(contentType)
      const { size, ETag } = await upload(s3, target, body, ifAbsent)
      return { key, size, etag: unquoted(ETag), contentType }
    },

    async get(key, range = {}) {
      checkRange(range)
      const output = await s3.getObject({ ...at(key), ...rangeHeader(range) })
      if (!(output.Body instanceof Readable)) throw new Failure('internal', 'The S3 client returned no Node stream.')
      const size = Number(output.ContentRange?.split('/')[1] ?? output.ContentLength)
      return { info: { ...infoOf(key, output), size }, body: output.Body }
    },

    async head(key) {
      try {
        return infoOf(key, await s3.headObject(at(key)))
      } catch (error) {
        if (error instanceof Failure && error.kind === 'notFound') return undefined
        throw error
      }
    },

    async delete(key) {
      await s3.deleteObject(at(key))
    },

    async list(prefix, page) {
      checkPage(prefix, page)
      const { limit: MaxKeys, after } = page
      const StartAfter = after && { StartAfter: root + after }
      const output = await s3.listObjectsV2({ Bucket, Prefix: root + prefix, MaxKeys, ...StartAfter })
      const entries = (output.Contents ?? []).map(({ Key = '', Size = 0, ETag, LastModified = new Date(0) }) => {
        return { key: Key.slice(root.length), size: Size, etag: unquoted(ETag), modifiedAt: wholeSecond(LastModified) }
      })
      // Others may write to the bucket: objects without a valid key, such as folder markers, are skipped.
      const items: BlobEntry[] = entries.filter(({ key }) => isBlobKey(key))
      const next = output.IsTruncated ? entries.at(-1)?.key : undefined
      return next === undefined ? { items } : { items, next }
    },

    async signedUrl(key, urlOptions) {
      checkSignedUrlOptions(urlOptions)
      const expiresIn = urlOptions.expiresInSeconds
      if (urlOptions.method === 'GET') return getSignedUrl(s3, new GetObjectCommand(at(key)), { expiresIn })
      const ContentType = urlOptions.contentType ?? defaultContentType
      // Otherwise the SDK omits the type from the signature, and any would be accepted.
      const signableHeaders = new Set(['content-type'])
      return getSignedUrl(s3, new PutObjectCommand({ ...at(key), ContentType }), { expiresIn, signableHeaders })
    },
  }
}

async function connect({ bucket, region, endpoint, credentials, prefix = '', forcePathStyle = false }: S3Options) {
  const { S3 } = await import('@aws-sdk/client-s3')
  const s3 = new S3({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    // Many servers other than Amazon's do not support the newer trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Errors are thrown; a refused stream need not be on the console as well.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 300_000 },
  })
  s3.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request)
      } catch (error) {
        const key = 'Key' in request.input ? String(request.input.Key).slice(prefix.length) : ''
        throw failureOf(error, bucket, key)
      }
    },
    { step: 'initialize', priority: 'high', name: 'failures' },
  )
  return s3
}

function failureOf(error: unknown, bucket: string, key: string): unknown {
  if (!(error instanceof Error)) return error
  const status = '$metadata' in error ? (error.$metadata as { httpStatusCode?: number }).httpStatusCode : undefined
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') {
    return new Failure('notFound', `The blob '${key}' was not found.`, { cause: error })
  }
  if (status === 412) return new Failure('alreadyExists', `The blob '${key}' already exists.`, { cause: error })
  if (status === 409) {
    return new Failure('conflict', `Another write of the blob '${key}' is in progress; try again.`, { cause: error })
  }
  if (status === 416) return rangeNotSatisfiable(key, error)
  const message = `The bucket '${bucket}' cannot be used (${error.name}: ${error.message}); check its settings and server.`
  return new Failure('unavailable', message, { cause: error })
}

function infoOf(
  key: string,
  output: Pick<HeadObjectCommandOutput, 'ContentLength' | 'ETag' | 'ContentType' | 'LastModified'>,
): BlobInfo {
  const { ContentLength, ETag, ContentType, LastModified } = output
  return {
    key,
    size: ContentLength ?? 0,
    etag: unquoted(ETag),
    contentType: ContentType ?? defaultContentType,
    modifiedAt: LastModified ?? new Date(0),
  }
}

function rangeHeader({ start, end }: ByteRange): { Range?: string } {
  return start === undefined && end === undefined ? {} : { Range: `bytes=${start ?? 0}-${end ?? ''}` }
}

/** Some servers list milliseconds, but HEAD and GET return seconds. */
function wholeSecond(date: Date): Date {
  return new Date(Math.floor(date.getTime() / 1000) * 1000)
}

function unquoted(etag = ''): string {
  return etag.replaceAll('"', '')
}
