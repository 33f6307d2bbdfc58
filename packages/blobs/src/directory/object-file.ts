import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Clock, Failure, privateFile } from '@icosa/kernel'
import { piecesOf } from '../pieces.ts'

/**
 * File format: content, metadata as JSON, the JSON's length, a magic number. A single file makes replacing both atomic
 * by rename; a trailer, because the hash is known only after the last byte.
 */
export interface ObjectFacts {
  readonly size: number
  readonly etag: string
  readonly contentType: string
  readonly modifiedAt: Date
}

export interface OpenObject {
  readonly facts: ObjectFacts
  /** Closes the file when the stream ends or is destroyed. Inclusive at both ends. */
  read(start: number, end: number): Readable
  close(): Promise<void>
}

const mark = Buffer.from('icosablb')
const tailLength = 4 + mark.length
const maxTrailerLength = 1024

/** Writes and syncs a new file. */
export async function writeObjectFile(
  path: string,
  body: Uint8Array | AsyncIterable<Uint8Array>,
  { contentType, clock }: { contentType: string; clock: Clock },
): Promise<ObjectFacts> {
  let facts: ObjectFacts | undefined
  const contentAndTrailer = async function* () {
    const hash = createHash('sha256')
    let size = 0
    for await (const piece of piecesOf(body)) {
      hash.update(piece)
      size += piece.length
      yield piece
    }
    facts = { size, etag: hash.digest('hex'), contentType, modifiedAt: clock.now() }
    yield trailerOf(facts)
  }
  await pipeline(contentAndTrailer, createWriteStream(path, { flags: 'wx', flush: true, ...privateFile }))
  if (!facts) throw new Failure('internal', `The blob file ${path} ended before its content did.`)
  return facts
}

function trailerOf(facts: ObjectFacts): Buffer {
  const json = Buffer.from(JSON.stringify(facts))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(json.length)
  return Buffer.concat([json, length, mark])
}

/** Returns undefined if the file does not exist. The content is a snapshot, even if the object is replaced. */
export async function openObjectFile(path: string): Promise<OpenObject | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const facts = await readFacts(file, path)
    const read = (start: number, end: number) => readBytes(file, start, end)
    return { facts, read, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

function readBytes(file: FileHandle, start: number, end: number): Readable {
  if (start <= end) return file.createReadStream({ start, end })
  const empty = Readable.from([], { objectMode: false })
  return empty.once('close', () => file.close())
}

async function readFacts(file: FileHandle, path: string): Promise<ObjectFacts> {
  const { size: fileSize } = await file.stat()
  const start = Math.max(0, fileSize - maxTrailerLength)
  const end = Buffer.alloc(fileSize - start)
  const { bytesRead } = await file.read(end, 0, end.length, start)
  const jsonLength = end.length < tailLength ? 0 : end.readUInt32BE(end.length - tailLength)
  const jsonStart = end.length - tailLength - jsonLength
  if (bytesRead < end.length || jsonStart < 0 || !end.subarray(-mark.length).equals(mark)) return damaged(path)
  const { modifiedAt, ...rest } = JSON.parse(end.toString('utf8', jsonStart, jsonStart + jsonLength))
  if (rest.size !== start + jsonStart) return damaged(path)
  return { ...rest, modifiedAt: new Date(modifiedAt) }
}

function damaged(path: string): never {
  throw new Failure('internal', `The blob file ${path} is damaged; restore it from a copy or delete its blob.`)
}
