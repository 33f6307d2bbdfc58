import { keyBytes } from './key.ts'

/** Recent changes are merged into the sorted rows beyond this number, and beyond this share of them. */
const maxRecent = 20_000
const maxRecentShare = 1 / 20

/** Map of keys to values of one width: sorted rows in one buffer, and a small map of recent changes. */
export class Rows {
  readonly #width: number
  #sorted: Buffer
  readonly #recent = new Map<string, Buffer | undefined>()

  constructor(valueBytes: number, sorted: Buffer) {
    this.#width = keyBytes + valueBytes
    this.#sorted = sorted
  }

  get(key: Buffer): Buffer | undefined {
    if (this.#recent.size > 0) {
      const name = key.toString('latin1')
      const recent = this.#recent.get(name)
      if (recent !== undefined || this.#recent.has(name)) return recent
    }
    const row = this.#firstFrom(key)
    return this.#isAt(row, key) ? this.#valueAt(row) : undefined
  }

  /** Sets the value of a key, or removes it. */
  set(key: Buffer, value: Buffer | undefined): void {
    this.#recent.set(key.toString('latin1'), value)
    if (this.#recent.size >= Math.max(maxRecent, (this.#sorted.length / this.#width) * maxRecentShare)) this.merge()
  }

  /** Returns all rows, sorted, after merging recent changes into a new buffer. */
  merge(): Buffer {
    if (this.#recent.size === 0) return this.#sorted
    const keys = [...this.#recent.keys()].sort() // by bytes, since each is a character
    const parts: Buffer[] = []
    let from = 0
    for (const name of keys) {
      const [key, value] = [Buffer.from(name, 'latin1'), this.#recent.get(name)]
      const row = this.#firstFrom(key, from)
      if (row > from) parts.push(this.#sorted.subarray(from * this.#width, row * this.#width))
      if (value) parts.push(key, value)
      from = this.#isAt(row, key) ? row + 1 : row
    }
    parts.push(this.#sorted.subarray(from * this.#width))
    this.#sorted = Buffer.concat(parts)
    this.#recent.clear()
    return this.#sorted
  }

  /** Returns the index of the first row, at or after `from`, whose key is not less. */
  #firstFrom(key: Buffer, from = 0): number {
    const [first, second] = [key.readUInt32BE(0), key.readUInt32BE(4)]
    let [low, high] = [from, this.#sorted.length / this.#width]
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = middle * this.#width
      const difference = this.#sorted.readUInt32BE(at) - first || this.#sorted.readUInt32BE(at + 4) - second
      if (difference < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #isAt(row: number, key: Buffer): boolean {
    const at = row * this.#width
    return at < this.#sorted.length && key.compare(this.#sorted, at, at + keyBytes) === 0
  }

  #valueAt(row: number): Buffer {
    return this.#sorted.subarray(row * this.#width + keyBytes, (row + 1) * this.#width)
  }
}
