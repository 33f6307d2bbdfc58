import { limits } from '../../limits.ts'
import { hex } from '../../trace.ts'
import { roundUp } from '../../unicorn/machine.ts'
import { type Apis, type Call, errno } from '../call.ts'
import { linkerName } from '../linker.ts'

const fixed = 0x10
const anonymous = 0x20
const page = 0x1000

function map(call: Call): number {
  const { process } = call
  const [address, size, flags] = [call.argument(0), call.argument(1), call.word(3)]
  if (size === 0 || address % page !== 0) return errno.invalid
  if (size > limits.allocatedBytes) return refused(call, size)
  const file = flags & anonymous ? undefined : process.files.at(call.word(4))
  if (!(flags & anonymous) && !file) return errno.badFile
  if (flags & fixed) {
    if (isReserved(call, address, roundUp(size))) return errno.noMemory
    process.unmap(address, size)
  }
  const name = file?.kind === 'interpreter' ? linkerName : 'mapped'
  const region = process.space.allocate(size, name, address)
  if (!region) return refused(call, size)
  if (flags & fixed && region.start !== address) {
    process.unmap(region.start, region.size)
    return errno.noMemory
  }
  if (file) {
    const from = call.argument(5)
    call.machine.write(region.start, file.content.subarray(from, from + size))
    if (file.kind !== 'written') process.layers.recordLoaded(region)
  }
  return region.start
}

/** Whether a range overlaps memory of the system or the stack. */
const isReserved = ({ process }: Call, start: number, size: number) =>
  process.space.regions.some(
    (region) =>
      (region.kind === 'system' || region.kind === 'stack') &&
      start < region.start + region.size &&
      region.start < start + size,
  )

function refused({ process }: Call, size: number): number {
  process.trace.event(`an allocation of ${size.toLocaleString('en')} bytes was refused`)
  return errno.noMemory
}

function unmap(call: Call): number {
  const [address, size] = [call.argument(0), call.argument(1)]
  if (address % page !== 0 || size === 0) return errno.invalid
  if (size <= limits.allocatedBytes && !isReserved(call, address, roundUp(size))) call.process.unmap(address, size)
  return 0
}

const protectionName = (protection: number) =>
  ['read', 'written', 'executed'].filter((_, bit) => protection & (1 << bit)).join(' and ') || 'out of reach'

function protect(call: Call): number {
  const { process } = call
  const [address, size] = [call.argument(0), call.argument(1)]
  if (!process.space.at(address)) return errno.noMemory
  process.trace.event(`${size.toLocaleString('en')} bytes at ${hex(address)} are to be ${protectionName(call.word(2))}`)
  return 0
}

/** Grows by whole pages, and never shrinks. */
function setBreak(call: Call): number {
  const { process } = call
  const requested = call.argument(0)
  if (requested < process.breakFrom) return process.breakAt
  const [end, newEnd] = [roundUp(process.breakAt), roundUp(requested)]
  if (newEnd > end) {
    if (newEnd - end > limits.allocatedBytes) return process.breakAt
    const region = process.space.allocate(newEnd - end, 'break', end)
    if (region?.start !== end) {
      if (region) process.unmap(region.start, region.size)
      return process.breakAt
    }
  }
  process.breakAt = Math.max(process.breakAt, requested)
  return process.breakAt
}

function remap(call: Call): number {
  const { process, machine } = call
  const [from, before, size] = [call.argument(0), call.argument(1), call.argument(2)]
  const content = process.space.readUpTo(from, Math.min(before, size, limits.allocatedBytes))
  if (from % page !== 0 || isReserved(call, from, roundUp(before))) return errno.invalid
  if (size > limits.allocatedBytes || content.length === 0) return errno.noMemory
  const region = process.space.allocate(size, 'mapped')
  if (!region) return refused(call, size)
  machine.write(region.start, content)
  process.unmap(from, Math.min(before, limits.allocatedBytes))
  return region.start
}

export const memoryCalls: Apis = {
  mmap: map,
  munmap: unmap,
  mprotect: protect,
  mremap: remap,
  brk: setBreak,
  madvise: () => 0,
  msync: () => 0,
  mlock: () => 0,
}
