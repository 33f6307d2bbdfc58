import { type Memory, readMemory } from '../memory/snapshot.ts'
import { Machine, pageOf, pageSize } from '../unicorn/machine.ts'

/** Compilers align functions. */
const alignment = 16
const fillers = [0x00, 0x90, 0xcc]
const jump = 0xe9
const jumpSize = 5
const scratch = { code: 0x10000, stack: 0x20000, size: 0x4000, maxPages: 16, ms: 1_000 }

export interface StolenBytes {
  readonly bytes: Buffer
  /** Their address in the packer. */
  readonly from: number
}

/**
 * Finds instructions of the entry point that the packer runs itself before jumping behind them: the start of the function is
 * filler, and as many bytes of complete instructions precede the jump.
 */
export function stolenBytes(
  memory: Memory,
  target: number,
  executed: readonly number[],
  bits: 32 | 64,
): StolenBytes | undefined {
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

/** Whether bytes are complete instructions: runs them on a separate machine that maps any memory on demand. */
function areInstructions(bytes: Buffer, bits: 32 | 64): boolean {
  const machine = new Machine(bits, scratch.ms)
  try {
    const allPermissions = 7
    machine.map(scratch.code, pageSize, allPermissions)
    machine.map(scratch.stack, scratch.size, allPermissions)
    machine.write(scratch.code, bytes)
    machine.sp = scratch.stack + scratch.size / 2
    machine.pc = scratch.code
    machine.until = scratch.code + bytes.length
    for (let remaining = scratch.maxPages; remaining > 0; remaining--) {
      const stop = machine.run()
      if (stop.why !== 'access') return stop.why === 'reached'
      machine.map(pageOf(stop.address), pageSize, allPermissions)
    }
    return false
  } catch {
    return false // unmappable memory
  } finally {
    machine.close()
  }
}
