import { limits } from '../limits.ts'
import { type Elf, number, segmentType } from './parse.ts'

export interface Relocation {
  /** Relative to the image. */
  readonly at: number
  readonly type: number
  readonly symbol: DynamicSymbol | undefined
  readonly addend: bigint
}

export interface DynamicSymbol {
  readonly name: string
  /** 0 if it is imported. */
  readonly address: number
  readonly isWeak: boolean
}

/** Dynamic section of a program; addresses as in the file. */
export interface Dynamic {
  readonly symbols: readonly DynamicSymbol[]
  readonly symbolsAt: number
  readonly textsAt: number
  readonly textsSize: number
  readonly relocations: readonly Relocation[]
  readonly init: readonly number[]
}

const tag = {
  ...{ pltSize: 2, strtab: 5, symtab: 6, rela: 7, relaSize: 8, strsz: 10, init: 12 },
  ...{ jmprel: 23, initArray: 25, initArraySize: 27 },
}
const symbolSize = 24
const relocationSize = 24
const maxEntries = 512

/** `image` starts with the program's first page. Undefined for static programs. */
export function dynamicOf(image: Buffer, elf: Pick<Elf, 'segments' | 'start'>, moved = 0): Dynamic | undefined {
  const segment = elf.segments.find(({ type }) => type === segmentType.dynamic)
  if (!segment) return undefined
  const tags = tagsOf(image, segment.address - elf.start)
  // A linker may already have relocated them.
  const place = (name: number) => {
    const value = tags.get(name) ?? 0
    return value >= moved + elf.start && moved > 0 ? value - moved : value
  }
  const size = (name: number) => Math.min(tags.get(name) ?? 0, image.length)
  const [symbolsAt, textsAt, textsSize] = [place(tag.symtab), place(tag.strtab), size(tag.strsz)]
  const symbols = symbolsOf(image, symbolsAt - elf.start, textsAt - elf.start, textsSize)
  const relocations = [
    ...relocationsOf(image, place(tag.rela) - elf.start, size(tag.relaSize), symbols, elf.start),
    ...relocationsOf(image, place(tag.jmprel) - elf.start, size(tag.pltSize), symbols, elf.start),
  ]
  const array = place(tag.initArray) - elf.start
  const count = Math.min(32, Math.floor(size(tag.initArraySize) / 8))
  const init = [
    ...(tags.has(tag.init) ? [place(tag.init)] : []),
    ...Array.from({ length: count }, (_, index) => within(image, array + index * 8)),
  ]
  return { symbols, symbolsAt, textsAt, textsSize, relocations, init: init.filter((address) => address > 0) }
}

const within = (image: Buffer, at: number) => (at >= 0 && at + 8 <= image.length ? number(image, at) : 0)

function tagsOf(image: Buffer, from: number): Map<number, number> {
  const tags = new Map<number, number>()
  for (
    let at = from, remaining = maxEntries;
    remaining > 0 && at >= 0 && at + 16 <= image.length;
    at += 16, remaining--
  ) {
    const name = number(image, at)
    if (name === 0) break
    if (!tags.has(name)) tags.set(name, number(image, at + 8))
  }
  return tags
}

/** There is no count: all linkers place the string table right behind the symbols. */
function symbolsOf(image: Buffer, at: number, textsAt: number, textsSize: number): DynamicSymbol[] {
  if (at <= 0 || textsAt <= at || textsAt > image.length) return []
  const texts = image.subarray(textsAt, textsAt + textsSize)
  const count = Math.min(limits.imports, Math.floor((textsAt - at) / symbolSize))
  return Array.from({ length: count }, (_, index) => {
    const from = at + index * symbolSize
    const name = image.readUInt32LE(from)
    const end = texts.indexOf(0, name)
    return {
      name: name < texts.length && end >= 0 && end - name <= 512 ? texts.toString('latin1', name, end) : '',
      address: image.readUInt16LE(from + 6) === 0 ? 0 : number(image, from + 8),
      isWeak: image.readUInt8(from + 4) >> 4 === 2,
    }
  })
}

function relocationsOf(
  image: Buffer,
  from: number,
  size: number,
  symbols: readonly DynamicSymbol[],
  start: number,
): Relocation[] {
  if (from <= 0 || from >= image.length) return []
  const count = Math.floor(Math.min(size, image.length - from) / relocationSize)
  return Array.from({ length: count }, (_, index) => {
    const at = from + index * relocationSize
    return {
      at: number(image, at) - start,
      type: image.readUInt32LE(at + 8),
      symbol: symbols[image.readUInt32LE(at + 12)],
      addend: image.readBigInt64LE(at + 16),
    }
  })
}
