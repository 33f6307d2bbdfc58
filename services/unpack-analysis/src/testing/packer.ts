import { importsOf } from '../engine/pe/imports.ts'
import { directory, imageOf, parsePe } from '../engine/pe/parse.ts'
import type { Workshop } from './build.ts'
import type { Stub } from './stubs.ts'

const page = 0x1000
const up = (size: number, to = page) => Math.ceil(size / to) * to
const allPermissions = 0xe000_0060

/** Encrypts a section of a program and adds one with a stub that decrypts it. Never run: only emulated. */
export function packWith(workshop: Workshop, program: Buffer, stub: Stub, sectionName = '.text'): Buffer {
  const pe = parsePe(program)
  const section = pe.sections.find(({ name }) => name === sectionName)
  if (!section) throw new Error(`The program has no section ${sectionName}.`)
  const at = up(pe.imageSize)
  const hex = (address: number) => `0x${(pe.base + address).toString(16)}`
  const filter = importsOf(imageOf(program, pe), pe).find(({ name }) => name === 'SetUnhandledExceptionFilter')
  const from = section.rawOffset
  const entryAt = from + pe.entry - section.address
  const stolen = [...program.subarray(entryAt, entryAt + (stub.steals ?? 0))]
  const code = workshop.assemble(stub.source, {
    STOLEN: stolen.join(',') || '0',
    TEXT: hex(section.address),
    SIZE: String(section.virtualSize),
    OEP: hex(pe.entry),
    STUB: hex(at),
    FILTER: hex(filter?.slot ?? 0),
  })
  const file = Buffer.from(program)
  if (stub.steals) file.fill(0xcc, entryAt, entryAt + stub.steals)
  stub.cipher(file.subarray(from, from + section.virtualSize)).copy(file, from)
  return addSection(file, at, code, stub.isTlsCallback === true)
}

function addSection(file: Buffer, at: number, code: Buffer, isTlsCallback: boolean): Buffer {
  const pe = parsePe(file)
  const header = file.readUInt32LE(0x3c)
  const optional = header + 24
  const table = optional + file.readUInt16LE(header + 20)
  const fileAlignment = file.readUInt32LE(optional + 36)
  const end = up(
    pe.sections.reduce((max, { rawOffset, rawSize }) => Math.max(max, rawOffset + rawSize), 0),
    fileAlignment,
  )
  const pointer = pe.bits / 8
  const listAt = up(code.length, 16)
  const content = Buffer.alloc(up(listAt + 4 * pointer, fileAlignment))
  code.copy(content)
  for (const [index] of pe.sections.entries()) file.writeUInt32LE(allPermissions, table + index * 40 + 36)
  const added = table + pe.sections.length * 40
  file.write('.stub\0\0\0', added, 'latin1')
  for (const [index, value] of [content.length, at, content.length, end].entries())
    file.writeUInt32LE(value, added + 8 + index * 4)
  file.fill(0, added + 24, added + 36)
  file.writeUInt32LE(allPermissions, added + 36)
  file.writeUInt16LE(pe.sections.length + 1, header + 6)
  file.writeUInt32LE(up(at + content.length), optional + 56)
  if (isTlsCallback) {
    const tls = pe.directories[directory.tls]?.address ?? 0
    const home = pe.sections.find(({ address, virtualSize }) => tls >= address && tls < address + virtualSize)
    if (!home) throw new Error('The program has no table of thread-local storage.')
    const place = tls - home.address + home.rawOffset + 3 * pointer
    const write = (target: Buffer, value: number, offset: number) =>
      pointer === 8 ? target.writeBigUInt64LE(BigInt(value), offset) : target.writeUInt32LE(value, offset)
    write(content, pe.base + at, listAt)
    write(file, pe.base + at + listAt, place)
  } else {
    file.writeUInt32LE(at, optional + 16)
    // TLS callbacks would run before the stub, while they are still encrypted.
    file.fill(
      0,
      optional + (pe.bits === 64 ? 112 : 96) + directory.tls * 8,
      optional + (pe.bits === 64 ? 112 : 96) + directory.tls * 8 + 8,
    )
  }
  return Buffer.concat([file.subarray(0, end), content])
}
