import { Malformed } from './malformed.ts'

export const isPe = (file: Uint8Array) => file.length >= 64 && file[0] === 0x4d && file[1] === 0x5a
export const isElf = (file: Uint8Array) =>
  file.length >= 64 && [0x7f, 0x45, 0x4c, 0x46].every((byte, at) => file[at] === byte)

/** Refuses files by their magic bytes, before a process is started. */
export function demandProgram(file: Uint8Array): void {
  if (!isPe(file) && !isElf(file))
    throw new Malformed('The file is neither a Windows program (PE) nor a Linux one (ELF).')
}
