import { createHash } from 'node:crypto'
import { importsOf } from '../engine/pe/imports.ts'
import { imageOf, parsePe } from '../engine/pe/parse.ts'

export interface Range {
  readonly address: number
  readonly size: number
}

/** Properties that must survive packing and unpacking. */
export function factsOf(file: Buffer, text: Range = textOf(file)) {
  const pe = parsePe(file)
  const image = imageOf(file, pe)
  const code = image.subarray(text.address, text.address + text.size)
  const names = importsOf(image, pe).map(({ library, name }) => `${library}!${name}`)
  return { entry: pe.entry, code: createHash('sha256').update(code).digest('hex'), imports: [...new Set(names)].sort() }
}

/** Range of a program's code. */
export function textOf(file: Buffer): Range {
  const section = parsePe(file).sections.find(({ name }) => name === '.text')
  if (!section) throw new Error('The program has no section .text.')
  return { address: section.address, size: section.virtualSize }
}
