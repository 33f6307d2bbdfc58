/** Reads a FlatBuffers file. A table is identified by its offset, a field by its number in the schema. */
export class FlatBuffer {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  root(): number {
    return this.#follow(0)
  }

  int(table: number, field: number): number {
    const at = this.#field(table, field)
    return at === undefined ? 0 : this.bytes.readInt32LE(at)
  }

  byte(table: number, field: number): number {
    const at = this.#field(table, field)
    return at === undefined ? 0 : this.bytes.readInt8(at)
  }

  ints(table: number, field: number): number[] {
    const { start, length } = this.vector(table, field)
    return Array.from({ length }, (_, index) => this.bytes.readInt32LE(start + 4 * index))
  }

  vector(table: number, field: number): { readonly start: number; readonly length: number } {
    const at = this.#field(table, field)
    if (at === undefined) return { start: 0, length: 0 }
    const start = this.#follow(at) + 4
    const length = this.bytes.readUInt32LE(start - 4)
    if (length > this.bytes.length - start) throw new RangeError('A vector is longer than the file.')
    return { start, length }
  }

  tables(table: number, field: number): number[] {
    const { start, length } = this.vector(table, field)
    return Array.from({ length }, (_, index) => this.#follow(start + 4 * index))
  }

  /** Returns undefined if the field is absent. */
  table(table: number, field: number): number | undefined {
    const at = this.#field(table, field)
    return at === undefined ? undefined : this.#follow(at)
  }

  #field(table: number, field: number): number | undefined {
    const layout = table - this.bytes.readInt32LE(table)
    const slot = 4 + 2 * field
    if (slot >= this.bytes.readUInt16LE(layout)) return undefined
    const offset = this.bytes.readUInt16LE(layout + slot)
    return offset === 0 ? undefined : table + offset
  }

  #follow(at: number): number {
    return at + this.bytes.readUInt32LE(at)
  }
}
