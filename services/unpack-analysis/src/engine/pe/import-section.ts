import type { SystemFunction } from '../windows/modules.ts'

/** Consecutive places that hold addresses of functions of one library. */
export interface ImportRun {
  readonly library: string
  /** From the beginning of the image. */
  readonly at: number
  readonly names: string[]
}

/** Finds where the program keeps the addresses of system functions, however they came there. */
export function importRuns(
  image: Buffer,
  pointerSize: 4 | 8,
  functionAt: (address: number) => SystemFunction | undefined,
): ImportRun[] {
  const runs: ImportRun[] = []
  // Addresses of functions are all alike in their upper part, which is quicker to look at.
  for (let at = 0; at + pointerSize <= image.length; at += pointerSize) {
    const high = pointerSize === 8 ? image.readUInt32LE(at + 4) : image.readUInt32LE(at)
    if (pointerSize === 8 ? high !== 0x7ff8 : high < 0x7000_0000) continue
    const found = functionAt(pointerSize === 8 ? Number(image.readBigUInt64LE(at)) : high)
    if (!found || found.name.startsWith('$')) continue
    const last = runs.at(-1)
    if (last && last.library === found.library && last.at + last.names.length * pointerSize === at)
      last.names.push(found.name)
    else runs.push({ library: found.library, at, names: [found.name] })
  }
  return runs
}

/**
 * Without the imports of the packer itself: those that the packed file had, if the program has found more for itself. A packer
 * that leaves the program's own table in place finds next to none.
 */
export function withoutPacker(
  runs: readonly ImportRun[],
  own: ReadonlySet<number>,
  pointerSize: 4 | 8,
): readonly ImportRun[] {
  const others = runs.flatMap(({ library, at, names }) => {
    const kept: ImportRun[] = []
    for (const [index, name] of names.entries()) {
      const slot = at + index * pointerSize
      const last = kept.at(-1)
      if (own.has(slot)) continue
      if (last && last.at + last.names.length * pointerSize === slot) last.names.push(name)
      else kept.push({ library, at: slot, names: [name] })
    }
    return kept
  })
  return others.reduce((sum, { names }) => sum + names.length, 0) > own.size ? others : runs
}

/** A table of imports for these runs, as it lies at `address` of the image. */
export function importSection(runs: readonly ImportRun[], pointerSize: 4 | 8, address: number): Buffer {
  const descriptors = (runs.length + 1) * 20
  const lookups = runs.reduce((sum, { names }) => sum + (names.length + 1) * pointerSize, 0)
  const texts: Buffer[] = []
  let textsAt = descriptors + lookups
  const addText = (text: string, isFunction: boolean) => {
    const at = textsAt
    const bytes = Buffer.from(`${isFunction ? '\0\0' : ''}${text}\0`, 'latin1')
    const padded = Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
    texts.push(padded)
    textsAt += padded.length
    return address + at
  }
  const head = Buffer.alloc(descriptors + lookups)
  let lookup = descriptors
  for (const [index, { library, at, names }] of runs.entries()) {
    head.writeUInt32LE(address + lookup, index * 20)
    head.writeUInt32LE(addText(library, false), index * 20 + 12)
    head.writeUInt32LE(at, index * 20 + 16)
    for (const name of names) {
      const number = /^#(\d+)$/.exec(name)?.[1]
      const value = number === undefined ? addText(name, true) : Number(number)
      head.writeUInt32LE(value, lookup)
      if (number !== undefined) head.writeUInt8(0x80, lookup + pointerSize - 1)
      lookup += pointerSize
    }
    lookup += pointerSize
  }
  return Buffer.concat([head, ...texts])
}
