import { limits } from '../limits.ts'

export type FileKind = 'program' | 'interpreter' | 'text' | 'written' | 'device' | 'socket'

/** A file as the program sees it. Only what the program itself has written can be changed. */
export interface File {
  readonly kind: FileKind
  readonly path: string
  content: Buffer
}

interface Opened {
  readonly file: File
  at: number
}

/** What a program has open, and what it has written. None of it is real. */
export class Files {
  readonly #open = new Map<number, Opened>()
  readonly #written = new Map<string, File>()
  #writtenBytes = 0

  constructor() {
    for (const number of [0, 1, 2])
      this.#open.set(number, { file: { kind: 'device', path: '/dev/tty', content: Buffer.alloc(0) }, at: 0 })
  }

  open(file: File): number {
    let number = 3
    while (this.#open.has(number)) number++
    if (number > 1_000) return -24
    this.#open.set(number, { file, at: 0 })
    return number
  }

  create(path: string): File {
    const file: File = { kind: 'written', path, content: Buffer.alloc(0) }
    this.#written.set(path, file)
    return file
  }

  written(path: string): File | undefined {
    return this.#written.get(path)
  }

  at(number: number): File | undefined {
    return this.#open.get(number)?.file
  }

  close(number: number): boolean {
    return this.#open.delete(number)
  }

  duplicate(number: number, as?: number): number {
    const opened = this.#open.get(number)
    if (!opened) return -9
    if (as === undefined) return this.open(opened.file)
    this.#open.set(as, opened)
    return as
  }

  read(number: number, size: number, from?: number): Buffer | undefined {
    const opened = this.#open.get(number)
    if (!opened) return undefined
    const at = from ?? opened.at
    const piece = opened.file.content.subarray(at, at + size)
    if (from === undefined) opened.at += piece.length
    return piece
  }

  /** What is written to files of its own is kept, up to a limit: it may be a program. */
  write(number: number, bytes: Buffer, from?: number): number {
    const opened = this.#open.get(number)
    if (!opened) return -9
    const at = from ?? opened.at
    if (from === undefined) opened.at += bytes.length
    const { file } = opened
    const end = at + bytes.length
    if (file.kind === 'written' && this.resize(file, Math.max(end, file.content.length))) bytes.copy(file.content, at)
    return bytes.length
  }

  resize(file: File, size: number): boolean {
    const more = size - file.content.length
    if (!(size >= 0) || this.#writtenBytes + more > limits.writtenBytes) return false
    this.#writtenBytes += more
    const content = Buffer.alloc(size)
    file.content.copy(content, 0, 0, size)
    file.content = content
    return true
  }

  seek(number: number, by: number, from: number): number {
    const opened = this.#open.get(number)
    if (!opened) return -9
    const begin = [0, opened.at, opened.file.content.length][from]
    if (begin === undefined || begin + by < 0) return -22
    opened.at = begin + by
    return opened.at
  }
}
