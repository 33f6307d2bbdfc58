import { Failure } from '@icosa/kernel'

/** A stream that has lines in it, and between them files as they are: each after a line that says how long it is. */
export interface Framed {
  /** The next line; undefined at the end. */
  line(): Promise<string | undefined>
  /** What follows it. All of it is read before the next line. */
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
        if (rest.length > 0) throw cut()
        return undefined
      }
    },

    async *bytes(count) {
      for (let left = count; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw cut()
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
  }
}

const cut = () => new Failure('conflict', 'The data in the vault ends in the middle of something.')
