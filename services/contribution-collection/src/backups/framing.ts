import { Failure } from '@icosa/kernel'

/** A stream of lines and raw files; the line before a file contains its length. */
export interface Framed {
  /** The next line; undefined at the end. */
  line(): Promise<string | undefined>
  /** The bytes after it, to be read in full before the next line. */
  bytes(count: number): AsyncGenerator<Uint8Array>
}

const newline = 10

export function framed(content: AsyncIterable<Buffer>): Framed {
  const pieces = content[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const next = await pieces.next()
    if (next.done) return false
    rest = rest.length > 0 ? Buffer.concat([rest, next.value]) : next.value
    return true
  }

  return {
    async line() {
      for (let from = 0; ; ) {
        const end = rest.indexOf(newline, from)
        if (end >= 0) {
          const line = rest.subarray(0, end).toString()
          rest = rest.subarray(end + 1)
          return line
        }
        from = rest.length
        if (await more()) continue
        if (rest.length > 0) throw truncated()
        return undefined
      }
    },

    async *bytes(count) {
      for (let remaining = count; remaining > 0; ) {
        if (rest.length === 0 && !(await more())) throw truncated()
        const piece = rest.subarray(0, remaining)
        rest = rest.subarray(piece.length)
        remaining -= piece.length
        yield piece
      }
    },
  }
}

const truncated = () => new Failure('conflict', 'The data in the vault is truncated.')
