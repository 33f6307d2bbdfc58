import { isElf, isPe } from '../engine/magic.ts'
import { parsePe } from '../engine/pe/parse.ts'

interface Range {
  readonly offset: number
  readonly size: number
}

interface NamedRange extends Range {
  readonly name: string
}

/** mingw-w64 writes names of more than eight letters as `/4`; all of these are debug sections. */
const debugName = /^(\/\d+$|\.z?debug|\.stab)/

/** Ranges of debug information, which does not identify a program. */
export function debugRanges(file: Buffer, isUnpacked: boolean): Range[] {
  try {
    const sections = isElf(file) ? elfSections(file) : isPe(file) ? peSections(file, isUnpacked) : []
    return [...sections].filter(({ name }) => debugName.test(name))
  } catch {
    return [] // invalid headers
  }
}

function* peSections(file: Buffer, isUnpacked: boolean): Generator<NamedRange> {
  for (const { name, rawOffset, rawSize } of parsePe(file).sections) yield { name, offset: rawOffset, size: rawSize }
  if (isUnpacked) yield* originalSections(file)
}

const signature = Buffer.from('PE\0\0')
const [firstPage, entrySize, maxSections] = [0x1000, 40, 96]

/** Sections by the original headers that UPX keeps. In an unpacked file, offsets equal memory addresses. */
function* originalSections(file: Buffer): Generator<NamedRange> {
  for (let at = file.indexOf(signature, firstPage); at >= 0; at = file.indexOf(signature, at + 1)) {
    if (at + 24 > file.length) return
    const [count, optionalSize] = [file.readUInt16LE(at + 6), file.readUInt16LE(at + 20)]
    const table = at + 24 + optionalSize
    const isHeader = (optionalSize === 0xe0 || optionalSize === 0xf0) && count > 0 && count <= maxSections
    if (!isHeader || table + count * entrySize > file.length) continue
    for (let entry = table; entry < table + count * entrySize; entry += entrySize) {
      const name = file.toString('latin1', entry, entry + 8).replace(/\0.*$/s, '')
      yield { name, size: file.readUInt32LE(entry + 8), offset: file.readUInt32LE(entry + 12) }
    }
  }
}

function* elfSections(file: Buffer): Generator<NamedRange> {
  const table = Number(file.readBigUInt64LE(40))
  const [size, count, names] = [file.readUInt16LE(58), file.readUInt16LE(60), file.readUInt16LE(62)]
  const rangeOf = (index: number): Range => ({
    offset: Number(file.readBigUInt64LE(table + index * size + 24)),
    size: Number(file.readBigUInt64LE(table + index * size + 32)),
  })
  if (count === 0) return
  const { offset: texts } = rangeOf(names)
  for (let index = 1; index < count; index++) {
    const start = texts + file.readUInt32LE(table + index * size)
    yield { name: file.toString('latin1', start, start + 16).replace(/\0.*$/s, ''), ...rangeOf(index) }
  }
}
