/** Assembles the subset of WebAssembly that the SIMD loops need. */

export type Code = readonly number[]

export const i32 = 0x7f
export const f32 = 0x7d
export const v128 = 0x7b

export function unsigned(value: number): Code {
  const bytes: number[] = []
  let rest = value >>> 0
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest === 0 ? low : low | 0x80)
  } while (rest !== 0)
  return bytes
}

function signed(value: number): Code {
  const bytes: number[] = []
  let rest = value | 0
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

const simd = (op: number): Code => [0xfd, ...unsigned(op)]

export const get = (local: number): Code => [0x20, ...unsigned(local)]
export const set = (local: number): Code => [0x21, ...unsigned(local)]
export const constant = (value: number): Code => [0x41, ...signed(value)]
export const add: Code = [0x6a]
export const multiply: Code = [0x6c]
export const shiftLeft: Code = [0x74]
export const below: Code = [0x49]
export const addFloats = simd(0xe4)
export const multiplyFloats = simd(0xe6)
export const addFloat: Code = [0x92]
export const addInts = simd(0xae)
/** Eight products of 16-bit integers, as four sums of two neighbours each. */
export const multiplyPairs = simd(0xba)
export const loadInt = (offset: number): Code => [0x28, 2, ...unsigned(offset)]
export const zero: Code = [...simd(0x0c), ...new Array<number>(16).fill(0)]
export const load = (offset: number): Code => [...simd(0x00), 2, ...unsigned(offset)]
export const loadSplat = (offset: number): Code => [...simd(0x09), 2, ...unsigned(offset)]
export const store = (offset: number): Code => [...simd(0x0b), 2, ...unsigned(offset)]
export const lane = (index: number): Code => [...simd(0x1f), index]
export const advance = (local: number, by: number): Code => [...get(local), ...constant(by), ...add, ...set(local)]
/** do { body } while (pointer < end). */
export const repeatBelow = (pointer: number, end: number, ...body: Code[]): Code => [
  0x03,
  0x40,
  ...body.flat(),
  ...get(pointer),
  ...get(end),
  ...below,
  0x0d,
  0,
  0x0b,
]

export interface Routine {
  name: string
  parameters: readonly number[]
  results: readonly number[]
  locals: readonly number[]
  body: Code
}

const vector = (items: readonly Code[]): Code => [...unsigned(items.length), ...items.flat()]
const section = (id: number, content: Code): Code => [id, ...unsigned(content.length), ...content]
const text = (value: string): Code => vector([...value].map((character) => [character.charCodeAt(0)]))

/** Builds a module that imports its memory as env.memory. */
export function assemble(routines: readonly Routine[]): Uint8Array<ArrayBuffer> {
  const types = routines.map(({ parameters, results }) => [
    0x60,
    ...vector(parameters.map((type) => [type])),
    ...vector(results.map((type) => [type])),
  ])
  const bodies = routines.map(({ locals, body }) => {
    const code = [...vector(locals.map((type) => [1, type])), ...body, 0x0b]
    return [...unsigned(code.length), ...code]
  })
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(2, vector([[...text('env'), ...text('memory'), 2, 0, 1]])),
    ...section(3, vector(routines.map((_, i) => unsigned(i)))),
    ...section(7, vector(routines.map(({ name }, i) => [...text(name), 0, ...unsigned(i)]))),
    ...section(10, vector(bodies)),
  ])
}
