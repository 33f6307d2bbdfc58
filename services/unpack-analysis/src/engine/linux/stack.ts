import type { Machine } from '../unicorn/machine.ts'

export const programPath = '/home/user/sample'
const environment = ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/home/user', 'USER=user', 'LANG=C.UTF-8']

/** Names of what the system tells a program about itself. */
export const told = { headers: 3, headerSize: 4, headerCount: 5, pageSize: 6, base: 7, entry: 9, random: 25, path: 31 }
const others: readonly (readonly [number, number])[] = [
  [told.pageSize, 0x1000],
  [16, 0x78bfbff],
  [17, 100],
  ...[11, 12, 13, 14].map((name) => [name, 1000] as const),
  [23, 0],
]

/** Puts down what a program finds on its stack when it begins: its arguments, its environment, and facts of the system. */
export function fillStack(machine: Machine, top: number, facts: ReadonlyMap<number, number>): void {
  let at = top - 0x100
  const put = (bytes: Buffer) => {
    at -= Math.ceil(bytes.length / 16) * 16
    machine.write(at, bytes)
    return at
  }
  const path = put(Buffer.from(`${programPath}\0`))
  const variables = environment.map((text) => put(Buffer.from(`${text}\0`)))
  const random = put(Buffer.from('4f9d2ac17be803565d1e88a9c4703fb2', 'hex'))
  const list = [...facts, ...others, [told.random, random], [told.path, path], [0, 0]].flat()
  const words = [1, path, 0, ...variables, 0, ...list]
  const bytes = Buffer.alloc(words.length * 8)
  for (const [index, word] of words.entries()) bytes.writeBigUInt64LE(BigInt(word), index * 8)
  machine.sp = at - Math.ceil(bytes.length / 16) * 16
  machine.write(machine.sp, bytes)
}

/** The facts of the system on a stack at its beginning, which packers change. */
export function factsOn(machine: Machine): Map<number, number> {
  let at = machine.sp + 8
  for (const _ of ['arguments', 'environment']) {
    for (let left = 4_096; left > 0 && machine.readPointer(at) !== 0; left--) at += 8
    at += 8
  }
  const facts = new Map<number, number>()
  for (let left = 64; left > 0 && machine.readPointer(at) !== 0; left--, at += 16)
    facts.set(machine.readPointer(at), machine.readPointer(at + 8))
  return facts
}
