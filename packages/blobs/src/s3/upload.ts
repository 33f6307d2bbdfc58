import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CompletedPart, S3 } from '@aws-sdk/client-s3'
import { Failure, privateFile } from '@icosa/kernel'
import { piecesOf } from '../pieces.ts'

export interface Target {
  readonly Bucket: string
  readonly Key: string
  readonly ContentType: string
}

export interface Uploaded {
  readonly size: number
  readonly ETag?: string | undefined
}

const mebibyte = 1024 * 1024
const partSize = 8 * mebibyte
const maxParts = 10_000
const maxSinglePut = 5 * 1024 * mebibyte

/** Keeps one part in memory, however long the stream is. */
export async function upload(
  s3: S3,
  target: Target,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  ifAbsent: boolean,
): Promise<Uploaded> {
  if (body instanceof Uint8Array) return putWhole(s3, target, body, body.length, ifAbsent)
  const parts = partsOf(body)
  try {
    const { value: first } = await parts.next()
    if (!first) throw new Failure('internal', 'A stream ended without its last part.')
    if (first.isLast) return await putWhole(s3, target, first.bytes, first.bytes.length, ifAbsent)
    const all = allOf(first, parts)
    return await (ifAbsent ? putFromDisk(s3, target, all) : putParts(s3, target, all))
  } finally {
    await parts.return(undefined)
  }
}

async function putWhole(
  s3: S3,
  target: Target,
  content: Uint8Array | Readable,
  size: number,
  ifAbsent: boolean,
): Promise<Uploaded> {
  const condition = ifAbsent ? { IfNoneMatch: '*' } : {}
  const { ETag } = await s3.putObject({ ...target, ...condition, Body: content, ContentLength: size })
  return { size, ETag }
}

async function putParts(s3: S3, target: Target, parts: AsyncIterable<Uint8Array>): Promise<Uploaded> {
  const { Bucket, Key } = target
  const { UploadId } = await s3.createMultipartUpload(target)
  const done: CompletedPart[] = []
  let size = 0
  try {
    for await (const bytes of parts) {
      if (done.length === maxParts) tooLarge(`${maxParts} parts of ${partSize / mebibyte} MiB`)
      const PartNumber = done.length + 1
      const { ETag } = await s3.uploadPart({ Bucket, Key, UploadId, PartNumber, Body: bytes })
      done.push({ ETag, PartNumber })
      size += bytes.length
    }
    const { ETag } = await s3.completeMultipartUpload({ Bucket, Key, UploadId, MultipartUpload: { Parts: done } })
    if (ETag) return { size, ETag }
  } catch (error) {
    // If the abort fails as well, the caller still needs the first error.
    await s3.abortMultipartUpload({ Bucket, Key, UploadId }).catch(() => undefined)
    throw error
  }
  // Ceph 16 omits the ETag when completing an upload.
  const { ETag } = await s3.headObject({ Bucket, Key })
  return { size, ETag }
}

/**
 * Spools the stream to disk and uploads it in one request. Many servers honour If-None-Match on PUT, but ignore it when
 * a multipart upload is completed (such as Ceph 16), and would overwrite silently.
 */
async function putFromDisk(s3: S3, target: Target, parts: AsyncIterable<Uint8Array>): Promise<Uploaded> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-blob-'))
  const file = join(folder, 'content')
  let size = 0
  const counted = async function* () {
    for await (const bytes of parts) {
      size += bytes.length
      if (size > maxSinglePut) tooLarge(`${maxSinglePut / mebibyte} MiB when it is put with ifAbsent`)
      yield bytes
    }
  }
  try {
    await pipeline(counted, createWriteStream(file, privateFile))
    return await putWhole(s3, target, createReadStream(file), size, true)
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Part {
  readonly bytes: Uint8Array
  readonly isLast: boolean
}

/**
 * Splits a stream into parts of full size and a last one of 0 bytes to full size, so that the first one shows whether
 * it is the only one. They share a buffer: a part is valid until the next is requested.
 */
async function* partsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Part, undefined> {
  const part = Buffer.allocUnsafe(partSize)
  let length = 0
  for await (const piece of piecesOf(body)) {
    let rest = piece
    while (rest.length > partSize - length) {
      part.set(rest.subarray(0, partSize - length), length)
      rest = rest.subarray(partSize - length)
      length = 0
      yield { bytes: part, isLast: false }
    }
    part.set(rest, length)
    length += rest.length
  }
  yield { bytes: part.subarray(0, length), isLast: true }
}

async function* allOf(first: Part, rest: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  yield first.bytes
  for await (const { bytes } of rest) yield bytes
}

function tooLarge(limit: string): never {
  throw new Failure('tooLarge', `A blob in S3 has at most ${limit}; store it as several blobs.`)
}
