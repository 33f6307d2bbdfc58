import { limits } from '../limits.ts'

export type FileKind = 'program' | 'interpreter' | 'text' | 'written' | 'device' | 'socket'

/** An emulated file. Only files written by the program can be changed. */
export interface File {
  readonly kind: FileKind
  readonly path: string
  content: Buffer
}

interface OpenFile {
  readonly file: File
  at: number
}

/** Emulated files of a program: open ones and written ones. */
export class Files {
  readonly #open = new Map<number, OpenFile>()
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
    const entry = this.#open.get(number)
    if (!entry) return -9
    if (as === undefined) return this.open(entry.file)
    this.#open.set(as, entry)
    return as
  }

  read(number: number, size: number, from?: number): Buffer | undefined {
    const entry = this.#open.get(number)
    if (!entry) return undefined
    const at = from ?? entry.at
    const bytes = entry.file.content.subarray(at, at + size)
    if (from === undefined) entry.at += bytes.length
    return bytes
  }

  /** Stores writes to the program's own files, up to a limit: they may contain a program. */
  write(number: number, bytes: Buffer, from?: number): number {
    const entry = this.#open.get(number)
    if (!entry) return -9
    const at = from ?? entry.at
    if (from === undefined) entry.at += bytes.length
    const { file } = entry
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
    const entry = this.#open.get(number)
    if (!entry) return -9
    const base = [0, entry.at, entry.file.content.length][from]
    if (base === undefined || base + by < 0) return -22
    entry.at = base + by
    return entry.at
  }
}
