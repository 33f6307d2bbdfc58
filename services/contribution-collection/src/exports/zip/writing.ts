import type { Readable } from 'node:stream'
import { type Blobs, Failure } from '@icosa/kernel'
import { crc32 } from './crc32.ts'
import { directoryRecord, fileHeader } from './records.ts'

/** A file of a zip, as it can wait in a checkpoint: all that is known of it, and where the rest of its content lies. */
export interface Entry {
  readonly name: string
  readonly modified: string
  readonly size: number
  readonly crc32: number
  /** How the content begins, in base64: all of it, unless a blob follows. */
  readonly begins?: string
  readonly blob?: { readonly key: string; readonly from: number }
}

/** How far a zip is written: enough to go on in the middle of a file. */
export interface Checkpoint {
  /** The last contribution whose files are written or wait in `pending`. */
  readonly after: { readonly createdAt: string; readonly id: string } | null
  readonly pending: readonly Entry[]
  /** Of the first that waits: how much of its content is written, and the sum of that. */
  readonly written: number
  readonly sum: number
  readonly size: number
  readonly files: number
  readonly contributions: number
  readonly media: number
  /** Of the one text of all contributions. */
  readonly textSize: number
  readonly textSum: number
  readonly stage: 'contributions' | 'text' | 'directory'
}

export const beginning: Checkpoint = {
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

/** What the next contribution adds. */
export interface Chapter {
  readonly position: NonNullable<Checkpoint['after']>
  readonly entries: readonly Entry[]
  readonly media: number
  /** For the one text of all. */
  readonly text: Buffer
}

/** Writes one part after another. The state is that behind the last byte that was handed out. */
export class Writing {
  state: Checkpoint
  directory: Buffer[] = []
  texts: Buffer[] = []
  contributions: string[] = []
  #pieces: Buffer[] = []
  readonly #blobs: Blobs
  readonly #next: (after: Checkpoint['after']) => Promise<Chapter | undefined>

  constructor(state: Checkpoint, blobs: Blobs, next: (after: Checkpoint['after']) => Promise<Chapter | undefined>) {
    this.state = state
    this.#blobs = blobs
    this.#next = next
  }

  /** What belongs to the part that is complete now. */
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
   * Returns the memory of what was handed out, once it lies in the blobs. The garbage collector, to which such a piece is a
   * small object, would let 60 MiB of them lie before it looks, and malloc keeps what it once had. A piece of a larger
   * buffer is not ours alone.
   */
  giveBack(): void {
    for (const { buffer, length } of this.#pieces)
      if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
    this.#pieces = []
  }

  async *bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const [entry] = this.state.pending
      if (entry) yield* this.#entry(entry)
      else if (!(await this.#turn())) return
    }
  }

  async #turn(): Promise<boolean> {
    const chapter = await this.#next(this.state.after)
    if (!chapter) return false
    const { textSize, textSum, contributions, media } = this.state
    this.contributions.push(chapter.position.id)
    if (chapter.text.length > 0) this.texts.push(chapter.text)
    this.state = {
      ...this.state,
      after: chapter.position,
      pending: chapter.entries,
      contributions: contributions + 1,
      media: media + chapter.media,
      textSize: textSize + chapter.text.length,
      textSum: crc32(chapter.text, textSum),
    }
    return true
  }

  async *#entry(entry: Entry): AsyncGenerator<Buffer> {
    const file = { ...entry, modified: new Date(entry.modified) }
    if (this.state.written < 0) {
      // A file that has gone since is left out while nothing of it is written.
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
      throw new Failure(
        'internal',
        `The file ${entry.name} is not what was received: ${written} of ${entry.size} bytes.`,
      )
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
