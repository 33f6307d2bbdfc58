import { limits } from '../limits.ts'
import { OverLimit } from '../malformed.ts'
import { directory, type Pe, textAt } from './parse.ts'

export interface Import {
  readonly library: string
  /** A name, or an ordinal such as `#7`. */
  readonly name: string
  /** Where the loader writes its address. */
  readonly slot: number
}

/** Parses the import tables, as far as they are valid. */
export function importsOf(image: Buffer, { bits, directories }: Pick<Pe, 'bits' | 'directories'>): Import[] {
  const imports: Import[] = []
  const size = bits / 8
  const start = directories[directory.imports]?.address ?? 0
  for (let at = start; at > 0 && at + 20 <= image.length; at += 20) {
    const library = textAt(image, image.readUInt32LE(at + 12))
    const slots = image.readUInt32LE(at + 16)
    if (!library || slots === 0) break
    const lookup = image.readUInt32LE(at) || slots
    for (let index = 0; ; index++) {
      const from = lookup + index * size
      const slot = slots + index * size
      if (Math.max(from, slot) + size > image.length) break
      const name = importName(image, from, bits)
      if (name === undefined) break
      imports.push({ library: library.toLowerCase(), name, slot })
      if (imports.length > limits.imports)
        throw new OverLimit(`The program imports more than ${limits.imports.toLocaleString('en')} functions.`)
    }
  }
  return imports
}

function importName(image: Buffer, at: number, bits: 32 | 64): string | undefined {
  const low = image.readUInt32LE(at)
  const high = bits === 64 ? image.readUInt32LE(at + 4) : low
  if (low === 0 && high === 0) return undefined
  if (high >>> 31) return `#${low & 0xffff}`
  return textAt(image, low + 2)
}

/** Addresses of TLS callbacks, which run before the entry point. */
export function tlsCallbacks(image: Buffer, { bits, base, directories }: Pe): number[] {
  const at = directories[directory.tls]?.address ?? 0
  const size = bits / 8
  if (at === 0 || at + 4 * size > image.length) return []
  const pointer = (from: number) => (bits === 64 ? Number(image.readBigUInt64LE(from)) : image.readUInt32LE(from))
  const callbacks: number[] = []
  for (
    let from = pointer(at + 3 * size) - base;
    from > 0 && from + size <= image.length && callbacks.length < 32;
    from += size
  ) {
    const callback = pointer(from)
    if (callback === 0) break
    callbacks.push(callback)
  }
  return callbacks
}
