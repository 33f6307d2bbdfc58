import type { Machine } from '../unicorn/machine.ts'

export const programPath = '/home/user/sample'
const environment = ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/home/user', 'USER=user', 'LANG=C.UTF-8']

/** Entry types of the ELF auxiliary vector, AT_PHDR and so on. */
export const AT = {
  ...{ null: 0, phdr: 3, phent: 4, phnum: 5, pagesz: 6, base: 7, entry: 9, uid: 11, euid: 12, gid: 13, egid: 14 },
  ...{ hwcap: 16, clktck: 17, secure: 23, random: 25, execfn: 31 },
}
const constants: readonly (readonly [number, number])[] = [
  [AT.pagesz, 0x1000],
  [AT.hwcap, 0x78bfbff],
  [AT.clktck, 100],
  ...[AT.uid, AT.euid, AT.gid, AT.egid].map((type) => [type, 1000] as const),
  [AT.secure, 0],
]

/** Writes the initial stack of a process: argc, argv, envp and the auxiliary vector. */
export function writeInitialStack(machine: Machine, top: number, auxv: ReadonlyMap<number, number>): void {
  let at = top - 0x100
  const push = (bytes: Buffer) => {
    at -= Math.ceil(bytes.length / 16) * 16
    machine.write(at, bytes)
    return at
  }
  const path = push(Buffer.from(`${programPath}\0`))
  const envp = environment.map((text) => push(Buffer.from(`${text}\0`)))
  const random = push(Buffer.from('4f9d2ac17be803565d1e88a9c4703fb2', 'hex'))
  const entries = [...auxv, ...constants, [AT.random, random], [AT.execfn, path], [AT.null, 0]].flat()
  const words = [1, path, 0, ...envp, 0, ...entries]
  const bytes = Buffer.alloc(words.length * 8)
  for (const [index, word] of words.entries()) bytes.writeBigUInt64LE(BigInt(word), index * 8)
  machine.sp = at - Math.ceil(bytes.length / 16) * 16
  machine.write(machine.sp, bytes)
}

/** Reads the auxiliary vector from an initial stack, where packers change it. */
export function readAuxv(machine: Machine): Map<number, number> {
  let at = machine.sp + 8
  for (const _ of ['argv', 'envp']) {
    for (let remaining = 4_096; remaining > 0 && machine.readPointer(at) !== 0; remaining--) at += 8
    at += 8
  }
  const auxv = new Map<number, number>()
  for (let remaining = 64; remaining > 0 && machine.readPointer(at) !== AT.null; remaining--, at += 16)
    auxv.set(machine.readPointer(at), machine.readPointer(at + 8))
  return auxv
}
