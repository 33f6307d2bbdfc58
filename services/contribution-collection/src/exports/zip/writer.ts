import type { Readable } from 'node:stream'
import { type Blobs, Failure } from '@icosa/kernel'
import { crc32 } from './crc32.ts'
import { directoryRecord, fileHeader } from './records.ts'

/** A zip entry in a checkpoint, with the location of its content. */
export interface Entry {
  readonly name: string
  readonly modified: string
  readonly size: number
  readonly crc32: number
  /** Start of the content in base64, or all of it if there is no blob. */
  readonly begins?: string
  readonly blob?: { readonly key: string; readonly from: number }
}

/** Progress of a zip, sufficient to resume in the middle of a file. */
export interface Checkpoint {
  /** The last contribution whose entries are written or pending. */
  readonly after: { readonly createdAt: string; readonly id: string } | null
  readonly pending: readonly Entry[]
  /** Bytes and checksum of the first pending entry's written content; -1 before its header. */
  readonly written: number
  readonly sum: number
  readonly size: number
  readonly files: number
  readonly contributions: number
  readonly media: number
  /** Size and checksum of the combined text file. */
  readonly textSize: number
  readonly textSum: number
  readonly stage: 'contributions' | 'text' | 'directory'
}

export const initialCheckpoint: Checkpoint = {
  after: null,
  pending: [],
  written: -1,
  sum: 0,
  size: 0,
  files: 0,
  contributions: 0,
  media: 0,
  textSize: 0,
  textSum: 0,
  stage: 'contributions',
}

/** A contribution in the zip. */
export interface ExportItem {
  readonly position: NonNullable<Checkpoint['after']>
  readonly entries: readonly Entry[]
  readonly media: number
  /** For the combined text file. */
  readonly text: Buffer
}

/** Writes parts in sequence. `state` is the checkpoint after the last yielded byte. */
export class ZipWriter {
  state: Checkpoint
  directory: Buffer[] = []
  texts: Buffer[] = []
  contributions: string[] = []
  #pieces: Buffer[] = []
  readonly #blobs: Blobs
  readonly #next: (after: Checkpoint['after']) => Promise<ExportItem | undefined>

  constructor(state: Checkpoint, blobs: Blobs, next: (after: Checkpoint['after']) => Promise<ExportItem | undefined>) {
    this.state = state
    this.#blobs = blobs
    this.#next = next
  }

  /** Returns and resets the data of the completed part. */
  takePart(): { directory: Buffer; text: Buffer; contributions: string[] } {
    const part = {
      directory: Buffer.concat(this.directory),
      text: Buffer.concat(this.texts),
      contributions: this.contributions,
    }
    this.directory = []
    this.texts = []
    this.contributions = this.state.pending.length > 0 && this.state.after ? [this.state.after.id] : []
    return part
  }

  /**
   * Frees the memory of yielded pieces once they are stored. The garbage collector sees only small objects and would let
   * 60 MiB accumulate, which malloc keeps. Pieces of a larger buffer are shared, and skipped.
   */
  freePieces(): void {
    for (const { buffer, length } of this.#pieces)
      if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
    this.#pieces = []
  }

  async *bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const [entry] = this.state.pending
      if (entry) yield* this.#entry(entry)
      else if (!(await this.#nextItem())) return
    }
  }

  async #nextItem(): Promise<boolean> {
    const item = await this.#next(this.state.after)
    if (!item) return false
    const { textSize, textSum, contributions, media } = this.state
    this.contributions.push(item.position.id)
    if (item.text.length > 0) this.texts.push(item.text)
    this.state = {
      ...this.state,
      after: item.position,
      pending: item.entries,
      contributions: contributions + 1,
      media: media + item.media,
      textSize: textSize + item.text.length,
      textSum: crc32(item.text, textSum),
    }
    return true
  }

  async *#entry(entry: Entry): AsyncGenerator<Buffer> {
    const file = { ...entry, modified: new Date(entry.modified) }
    if (this.state.written < 0) {
      // A deleted file is skipped if nothing of it is written yet.
      if (entry.blob && !(await this.#blobs.head(entry.blob.key))) return this.#skip()
      this.directory.push(directoryRecord(file, this.state.size))
      yield this.#count(fileHeader(file), { written: 0, sum: 0 })
    }
    const begins = Buffer.from(entry.begins ?? '', 'base64')
    if (this.state.written < begins.length) yield this.#content(begins.subarray(this.state.written))
    if (entry.blob && this.state.written < entry.size) {
      const body = await this.#open(entry.blob.key, entry.blob.from + this.state.written - begins.length)
      for await (const piece of body) yield this.#content(piece)
    }
    const { written, sum } = this.state
    if (written !== entry.size || sum !== entry.crc32)
      throw new Failure('internal', `The file ${entry.name} is corrupt: ${written} of ${entry.size} bytes.`)
    this.state = { ...this.state, pending: this.state.pending.slice(1), written: -1, files: this.state.files + 1 }
  }

  async #open(key: string, start: number): Promise<Readable> {
    return (await this.#blobs.get(key, { start })).body
  }

  #content(piece: Buffer): Buffer {
    const { written, sum } = this.state
    this.#pieces.push(piece)
    return this.#count(piece, { written: written + piece.length, sum: crc32(piece, sum) })
  }

  #count(piece: Buffer, change: Partial<Checkpoint>): Buffer {
    this.state = { ...this.state, ...change, size: this.state.size + piece.length }
    return piece
  }

  #skip(): void {
    this.state = { ...this.state, pending: this.state.pending.slice(1), media: this.state.media - 1 }
  }
}
