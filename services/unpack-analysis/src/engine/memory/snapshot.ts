import type { Region } from './address-space.ts'

/** Snapshot of memory. */
export type Memory = ReadonlyMap<Region, Buffer>

/** Reads bytes, with zeros where nothing was mapped. */
export function readMemory(memory: Memory, address: number, size: number): Buffer {
  const result = Buffer.alloc(size)
  for (const [{ start }, bytes] of memory) {
    const from = Math.max(address, start)
    const to = Math.min(address + size, start + bytes.length)
    if (from < to) bytes.copy(result, from - address, from - start, to - start)
  }
  return result
}
