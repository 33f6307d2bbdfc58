import type { SystemFunction } from '../windows/modules.ts'
import { importRuns, importSection, withoutPacker } from './import-section.ts'
import { directory, type Pe, type Section } from './parse.ts'

export interface Piece {
  /** Relative to the image. */
  readonly address: number
  readonly bytes: Buffer
}

export interface RebuildContext {
  /** Memory outside the image. */
  readonly extra: readonly Piece[]
  /** Import slots of the packed file. */
  readonly ownSlots: ReadonlySet<number>
  readonly functionAt: (address: number) => SystemFunction | undefined
}

export interface RebuiltPe {
  readonly file: Buffer
  readonly imports: readonly string[]
  readonly sections: readonly Section[]
}

/** Section of the rebuilt imports. */
export const importSectionName = '.imports'

const page = 0x1000
const up = (size: number) => Math.ceil(size / page) * page
const peAt = 0x80
const all = 0xe000_0060
/** Directories of the packed file that no longer apply. */
const outdated = [4, directory.relocations, 6, directory.boundImports, directory.iat]

/**
 * Rebuilds a program from its memory: its sections as mapped, the entry point of the unpacked code, and an import table for
 * the addresses of system functions.
 */
export function rebuildPe(
  pe: Pe,
  memory: Buffer,
  entry: number,
  { extra, ownSlots, functionAt }: RebuildContext,
): RebuiltPe {
  const pointerSize = pe.bits === 64 ? 8 : 4
  const end = extra.reduce((max, { address, bytes }) => Math.max(max, address + bytes.length), memory.length)
  const candidates = [
    ...importRuns(memory, pointerSize, functionAt),
    ...extra.flatMap(({ address, bytes }) =>
      importRuns(bytes, pointerSize, functionAt).map((run) => ({ ...run, at: run.at + address })),
    ),
  ]
  const runs = withoutPacker(candidates, ownSlots, pointerSize)
  const imports = importSection(runs, pointerSize, up(end))
  const sections = sectionsOf(pe, memory, entry, extra, up(end), imports.length)
  const headers = headersOf(pe, memory, entry, sections, { address: up(end), size: (runs.length + 1) * 20 })
  const file = Buffer.alloc(up(end) + up(imports.length))
  memory.copy(file)
  headers.copy(file.fill(0, 0, sections[0]?.address ?? page))
  for (const { address, bytes } of extra) bytes.copy(file, address)
  imports.copy(file, up(end))
  return { file, imports: runs.flatMap(({ library, names }) => names.map((name) => `${library}!${name}`)), sections }
}

function sectionsOf(
  pe: Pe,
  memory: Buffer,
  entry: number,
  extra: readonly Piece[],
  importsAt: number,
  importsSize: number,
): Section[] {
  const section = (name: string, address: number, size: number, flags = all): Section => ({
    name,
    address,
    flags,
    virtualSize: size,
    rawSize: up(size),
    rawOffset: address,
  })
  const usable = pe.sections
    .filter(({ address }) => address >= page && address < memory.length && address % page === 0)
    .sort((a, b) => a.address - b.address)
    .filter(({ address }, index, sorted) => address !== sorted[index - 1]?.address)
  // If the headers do not fit before the first section, or no section contains the entry point, there is one section.
  const fits = usable.length + extra.length + 1 <= 80 && entry >= (usable[0]?.address ?? Number.POSITIVE_INFINITY)
  const chosen = fits ? usable : [{ name: '.all', address: page, flags: all }]
  const own = chosen.map(({ name, address, flags }, index) => {
    const next = chosen[index + 1]?.address ?? memory.length
    const containsEntry = entry >= address && entry < next
    return section(name, address, next - address, containsEntry ? flags | all : flags | 0x4000_0000)
  })
  return [
    ...own.filter(({ virtualSize }) => virtualSize > 0),
    ...extra.map(({ address, bytes }, index) => section(`.heap${index}`, address, bytes.length)),
    section(importSectionName, importsAt, importsSize, 0x4000_0040),
  ]
}

function headersOf(
  pe: Pe,
  memory: Buffer,
  entry: number,
  sections: readonly Section[],
  imports: { address: number; size: number },
): Buffer {
  const headers = Buffer.alloc(page)
  const optionalSize = (pe.bits === 64 ? 112 : 96) + 128
  const optional = peAt + 24
  headers.write('MZ', 0, 'latin1')
  headers.writeUInt32LE(peAt, 0x3c)
  // Keeps the fields of the file's header that still apply.
  pe.headers.copy(headers, peAt, 0, 24)
  headers.writeUInt16LE(sections.length, peAt + 6)
  headers.fill(0, peAt + 12, peAt + 20)
  headers.writeUInt16LE(optionalSize, peAt + 20)
  headers.writeUInt16LE(headers.readUInt16LE(peAt + 22) | 1, peAt + 22)
  pe.headers.copy(headers, optional, 24, 24 + optionalSize - 128)
  headers.writeUInt32LE(entry, optional + 16)
  headers.writeUInt32LE(page, optional + 32)
  headers.writeUInt32LE(page, optional + 36)
  const last = sections.at(-1)
  headers.writeUInt32LE(up((last?.address ?? memory.length) + (last?.virtualSize ?? 0)), optional + 56)
  headers.writeUInt32LE(page, optional + 60)
  headers.writeUInt32LE(0, optional + 64)
  headers.writeUInt16LE(headers.readUInt16LE(optional + 70) & ~0x40, optional + 70)
  const directories = optional + optionalSize - 128
  headers.writeUInt32LE(16, directories - 4)
  const entries = pe.directories.map((directoryEntry, index) =>
    outdated.includes(index) ? { address: 0, size: 0 } : directoryEntry,
  )
  entries[directory.imports] = imports
  for (const [index, { address, size }] of entries.entries()) {
    headers.writeUInt32LE(address, directories + index * 8)
    headers.writeUInt32LE(size, directories + index * 8 + 4)
  }
  for (const [index, section] of sections.entries())
    writeSection(headers, optional + optionalSize + index * 40, section)
  return headers
}

function writeSection(headers: Buffer, at: number, section: Section): void {
  headers.write(section.name.slice(0, 8), at, 'latin1')
  headers.writeUInt32LE(section.virtualSize, at + 8)
  headers.writeUInt32LE(section.address, at + 12)
  headers.writeUInt32LE(section.rawSize, at + 16)
  headers.writeUInt32LE(section.rawOffset, at + 20)
  headers.writeUInt32LE(section.flags >>> 0, at + 36)
}
