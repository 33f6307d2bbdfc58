import type { Region } from './address-space.ts'

/** Memory as it was at some moment. */
export type Memory = ReadonlyMap<Region, Buffer>

/** Bytes of it, with zeros where there was nothing. */
export function readMemory(memory: Memory, address: number, size: number): Buffer {
  const read = Buffer.alloc(size)
  for (const [{ start }, bytes] of memory) {
    const from = Math.max(address, start)
    const to = Math.min(address + size, start + bytes.length)
    if (from < to) bytes.copy(read, from - address, from - start, to - start)
  }
  return read
}
