/** The sample's file, for programs that read themselves. */
export class OwnFile {
  readonly #bytes: Buffer
  readonly #places = new Map<number, number>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get size(): number {
    return this.#bytes.length
  }

  next(handle: number, size: number): Buffer {
    const at = this.#places.get(handle) ?? 0
    const bytes = this.#bytes.subarray(at, at + size)
    this.#places.set(handle, at + bytes.length)
    return bytes
  }

  seek(handle: number, by: number, from: number): number {
    const base = [0, this.#places.get(handle) ?? 0, this.size][from] ?? 0
    const at = Math.max(0, base + by)
    this.#places.set(handle, at)
    return at
  }
}
