import type { Dynamic } from './dynamic.ts'
import { type Segment, segmentFlag, segmentType } from './parse.ts'
import { partsOf } from './parts.ts'

interface Section {
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly address: number
  readonly offset: number
  readonly size: number
  readonly link?: number
  readonly info?: number
  readonly entrySize?: number
}

/** Section of section names. */
const namesSection = '.shstrtab'

const sectionSize = 64
const types = { content: 1, names: 3, dynamic: 6, empty: 8, symbols: 11 }
const flag = { write: 1, loaded: 2, execute: 4 }

/** Generates section headers: one for each segment, and those of the dynamic section. */
export function sectionTable(segments: readonly Segment[], dynamic: Dynamic | undefined, fileSize: number) {
  const sections = [...loadedSections(segments), ...linkedSections(segments, dynamic)]
  const names = Buffer.from(`\0${[...sections.map(({ name }) => name), namesSection].join('\0')}\0`, 'latin1')
  const all = [
    { name: '', type: 0, flags: 0, address: 0, offset: 0, size: 0 },
    ...sections,
    { name: namesSection, type: types.names, flags: 0, address: 0, offset: fileSize, size: names.length },
  ]
  const padded = Buffer.concat([names, Buffer.alloc((8 - ((fileSize + names.length) % 8)) % 8)])
  const table = Buffer.alloc(all.length * sectionSize)
  for (const [index, section] of all.entries()) write(table, index * sectionSize, section, names)
  return { bytes: Buffer.concat([padded, table]), at: fileSize + padded.length, count: all.length }
}

function loadedSections(segments: readonly Segment[]): Section[] {
  const loaded = segments.filter(({ type }) => type === segmentType.load)
  return partsOf(loaded).flatMap(({ name, address, virtualSize, rawOffset, rawSize }, index) => {
    const permissions = loaded[index]?.flags ?? 0
    const flags =
      flag.loaded |
      (permissions & segmentFlag.write ? flag.write : 0) |
      (permissions & segmentFlag.execute ? flag.execute : 0)
    const content = { name, type: types.content, flags, address, offset: rawOffset, size: rawSize }
    const empty = {
      ...{ name: name.replace(/^\.\w+?(?=\d*$)/, '.bss'), type: types.empty, flags },
      ...{ address: address + rawSize, offset: rawOffset + rawSize, size: virtualSize - rawSize },
    }
    return [content, empty].filter(({ size }) => size > 0)
  })
}

function linkedSections(segments: readonly Segment[], dynamic: Dynamic | undefined): Section[] {
  const segment = segments.find(({ type }) => type === segmentType.dynamic)
  const place = (address: number) => {
    const home = segments.find(
      ({ type, address: start, fileSize }) =>
        type === segmentType.load && address >= start && address < start + fileSize,
    )
    return home && home.offset + address - home.address
  }
  if (!segment || !dynamic || dynamic.symbols.length === 0) return []
  const [symbols, texts, table] = [place(dynamic.symbolsAt), place(dynamic.textsAt), place(segment.address)]
  if (symbols === undefined || texts === undefined || table === undefined) return []
  const common = { flags: flag.loaded }
  const before = 1 + loadedSections(segments).length
  return [
    { ...common, name: '.dynstr', type: types.names, address: dynamic.textsAt, offset: texts, size: dynamic.textsSize },
    {
      ...{ ...common, name: '.dynsym', type: types.symbols, address: dynamic.symbolsAt, offset: symbols },
      ...{ size: dynamic.symbols.length * 24, link: before, info: 1, entrySize: 24 },
    },
    {
      ...{ ...common, name: '.dynamic', type: types.dynamic, address: segment.address, offset: table },
      ...{ size: segment.fileSize, link: before, entrySize: 16 },
    },
  ]
}

function write(table: Buffer, at: number, section: Section, names: Buffer): void {
  table.writeUInt32LE(section.name === '' ? 0 : names.indexOf(`\0${section.name}\0`) + 1, at)
  table.writeUInt32LE(section.type, at + 4)
  const numbers = [section.flags, section.address, section.offset, section.size]
  for (const [index, value] of numbers.entries()) table.writeBigUInt64LE(BigInt(value), at + 8 + index * 8)
  table.writeUInt32LE(section.link ?? 0, at + 40)
  table.writeUInt32LE(section.info ?? 0, at + 44)
  table.writeBigUInt64LE(1n, at + 48)
  table.writeBigUInt64LE(BigInt(section.entrySize ?? 0), at + 56)
}
