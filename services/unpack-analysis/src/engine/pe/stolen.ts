import { type Memory, readMemory } from '../memory/snapshot.ts'
import { Machine, pageOf, pageSize } from '../unicorn/machine.ts'

/** Compilers begin functions at such addresses. */
const alignment = 16
const fillers = [0x00, 0x90, 0xcc]
const jump = 0xe9
const jumpSize = 5
const scratch = { code: 0x10000, stack: 0x20000, size: 0x4000, maxPages: 16, ms: 1_000 }

export interface Stolen {
  readonly bytes: Buffer
  /** Where the packer has them. */
  readonly from: number
}

/**
 * Instructions of the entry point that a packer runs itself before it goes on behind them: where the function should begin there
 * is nothing but filler, and as many bytes of whole instructions stand before the jump to what is left.
 */
export function stolenBytes(
  memory: Memory,
  target: number,
  executed: readonly number[],
  bits: 32 | 64,
): Stolen | undefined {
  const size = target % alignment
  const gap = readMemory(memory, target - size, size)
  if (size === 0 || !fillers.some((filler) => gap.every((byte) => byte === filler))) return undefined
  for (const page of executed) {
    const code = readMemory(memory, page, pageSize + jumpSize)
    for (let at = code.indexOf(jump); at >= 0 && at < pageSize; at = code.indexOf(jump, at + 1)) {
      if (page + at + jumpSize + code.readInt32LE(at + 1) !== target) continue
      const bytes = readMemory(memory, page + at - size, size)
      if (areInstructions(bytes, bits)) return { bytes, from: page + at - size }
    }
  }
  return undefined
}

/** Whether they run through, on a machine of their own, in which all memory is there that they ask for. */
function areInstructions(bytes: Buffer, bits: 32 | 64): boolean {
  const machine = new Machine(bits, scratch.ms)
  try {
    const everything = 7
    machine.map(scratch.code, pageSize, everything)
    machine.map(scratch.stack, scratch.size, everything)
    machine.write(scratch.code, bytes)
    machine.sp = scratch.stack + scratch.size / 2
    machine.pc = scratch.code
    machine.until = scratch.code + bytes.length
    for (let left = scratch.maxPages; left > 0; left--) {
      const stop = machine.run()
      if (stop.why !== 'access') return stop.why === 'there'
      machine.map(pageOf(stop.address), pageSize, everything)
    }
    return false
  } catch {
    return false // memory that no machine has
  } finally {
    machine.close()
  }
}
