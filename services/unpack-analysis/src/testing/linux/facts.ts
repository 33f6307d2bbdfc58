import { createHash } from 'node:crypto'
import { dynamicOf } from '../../engine/elf/dynamic.ts'
import { imageOf, parseElf } from '../../engine/elf/parse.ts'
import type { Range } from '../pe-facts.ts'

/** Properties that must survive packing and unpacking. */
export function elfFactsOf(file: Buffer, text: Range = elfTextOf(file)) {
  const elf = parseElf(file)
  const image = imageOf(file, elf)
  const code = image.subarray(text.address - elf.start, text.address - elf.start + text.size)
  const symbols = dynamicOf(image, elf)?.symbols ?? []
  const imports = symbols.filter(({ name, address }) => name !== '' && address === 0).map(({ name }) => name)
  return { entry: elf.entry, code: createHash('sha256').update(code).digest('hex'), imports: imports.sort() }
}

/** Range of a program's code by its section headers. */
export function elfTextOf(file: Buffer): Range {
  const [table, count, namesIndex] = [Number(file.readBigUInt64LE(40)), file.readUInt16LE(60), file.readUInt16LE(62)]
  const at = (index: number) => table + index * 64
  const names = Number(file.readBigUInt64LE(at(namesIndex) + 24))
  for (let index = 0; index < count; index++) {
    const name = names + file.readUInt32LE(at(index))
    if (file.toString('latin1', name, file.indexOf(0, name)) === '.text')
      return {
        address: Number(file.readBigUInt64LE(at(index) + 16)),
        size: Number(file.readBigUInt64LE(at(index) + 32)),
      }
  }
  throw new Error('The program has no section .text.')
}
