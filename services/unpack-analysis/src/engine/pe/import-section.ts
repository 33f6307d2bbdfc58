import type { SystemFunction } from '../windows/modules.ts'

/** Consecutive slots with addresses of functions of one library. */
export interface ImportRun {
  readonly library: string
  /** Relative to the image. */
  readonly at: number
  readonly names: string[]
}

/** Finds addresses of system functions in the program's memory. */
export function importRuns(
  image: Buffer,
  pointerSize: 4 | 8,
  functionAt: (address: number) => SystemFunction | undefined,
): ImportRun[] {
  const runs: ImportRun[] = []
  // Fast check: function addresses have the same upper part.
  for (let at = 0; at + pointerSize <= image.length; at += pointerSize) {
    const high = pointerSize === 8 ? image.readUInt32LE(at + 4) : image.readUInt32LE(at)
    if (pointerSize === 8 ? high !== 0x7ff8 : high < 0x7000_0000) continue
    const target = functionAt(pointerSize === 8 ? Number(image.readBigUInt64LE(at)) : high)
    if (!target || target.name.startsWith('$')) continue
    const last = runs.at(-1)
    if (last && last.library === target.library && last.at + last.names.length * pointerSize === at)
      last.names.push(target.name)
    else runs.push({ library: target.library, at, names: [target.name] })
  }
  return runs
}

/**
 * Removes the imports of the packed file, which are the packer's, if the program has resolved more itself. A packer that leaves
 * the program's table in place resolves almost none.
 */
export function withoutPacker(
  runs: readonly ImportRun[],
  own: ReadonlySet<number>,
  pointerSize: 4 | 8,
): readonly ImportRun[] {
  const others = runs.flatMap(({ library, at, names }) => {
    const remaining: ImportRun[] = []
    for (const [index, name] of names.entries()) {
      const slot = at + index * pointerSize
      const last = remaining.at(-1)
      if (own.has(slot)) continue
      if (last && last.at + last.names.length * pointerSize === slot) last.names.push(name)
      else remaining.push({ library, at: slot, names: [name] })
    }
    return remaining
  })
  return others.reduce((sum, { names }) => sum + names.length, 0) > own.size ? others : runs
}

/** Builds an import table for `address` in the image. */
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
