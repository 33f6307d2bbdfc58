import { hex } from '../../trace.ts'
import type { Apis, Call } from '../call.ts'

const release = 0x8000
const success = 0
const noMemory = 0xc000_0017

function allocate({ process, machine }: Call, address: number, size: number): number {
  const existing = address > 0 ? process.space.at(address) : undefined
  if (existing) return address - (address % 0x1000)
  const region = process.space.allocate(size, 'allocated', address - (address % 0x1000))
  if (!region) {
    process.trace.event(`an allocation of ${size.toLocaleString('en')} bytes was refused`)
    machine.write(process.environment.lastErrorAt, Buffer.from([8, 0, 0, 0]))
    return 0
  }
  return region.start
}

function protect({ process, machine }: Call, address: number, size: number, protection: number, old: number): number {
  if (!process.space.at(address)) return 0
  process.trace.event(`${size.toLocaleString('en')} bytes at ${hex(address)} are to be ${protectionName(protection)}`)
  if (old !== 0) machine.write(old, Buffer.from([protection === 0x40 ? 4 : 0x40, 0, 0, 0]))
  return 1
}

const protections: Readonly<Record<number, string>> = {
  1: 'out of reach',
  2: 'read',
  4: 'read and written',
  8: 'copied when written',
  16: 'executed',
  32: 'read and executed',
  64: 'read, written and executed',
}
const protectionName = (value: number) => protections[value & 0xff] ?? hex(value)

/** Describes the region at an address. */
function query(call: Call, address: number, into: number): number {
  const { machine, process } = call
  const region = process.space.at(address)
  const bytes = Buffer.alloc(machine.bits === 64 ? 48 : 28)
  const page = address - (address % 0x1000)
  const put = (at: number, value: number) =>
    machine.bits === 64 ? bytes.writeBigUInt64LE(BigInt(value), at) : bytes.writeUInt32LE(value, at)
  put(0, page)
  put(machine.pointerSize, region?.start ?? 0)
  const size = region ? region.start + region.size - page : 0x1000
  const flags = machine.bits === 64 ? 32 : 16
  put(machine.bits === 64 ? 24 : 12, size)
  bytes.writeUInt32LE(region ? 0x40 : 0, machine.bits === 64 ? 16 : 8)
  bytes.writeUInt32LE(region ? 0x1000 : 0x10000, flags)
  bytes.writeUInt32LE(region ? 0x40 : 1, flags + 4)
  bytes.writeUInt32LE(region?.kind === 'image' || region?.kind === 'system' ? 0x1000000 : 0x20000, flags + 8)
  return machine.write(into, bytes) ? bytes.length : 0
}

function copy({ machine }: Call, to: number, from: number, size: number): number {
  const bytes = size > 0x1000_0000 ? undefined : machine.read(from, size)
  if (bytes) machine.write(to, bytes)
  return to
}

function fill({ machine }: Call, to: number, value: number, size: number): number {
  if (size <= 0x1000_0000) machine.write(to, Buffer.alloc(size, value & 0xff))
  return to
}

function allocateZeroed(call: Call, size: number): number {
  return call.process.heap.allocate(size)
}

export const memoryApis: Apis = {
  VirtualAlloc: (call) => allocate(call, call.argument(0), call.argument(1)),
  VirtualAllocEx: (call) => allocate(call, call.argument(1), call.argument(2)),
  VirtualFree(call) {
    if (call.word(2) === release) call.process.space.free(call.argument(0))
    return 1
  },
  VirtualProtect: (call) => protect(call, call.argument(0), call.argument(1), call.word(2), call.argument(3)),
  VirtualProtectEx: (call) => protect(call, call.argument(1), call.argument(2), call.word(3), call.argument(4)),
  VirtualQuery: (call) => query(call, call.argument(0), call.argument(1)),
  VirtualQueryEx: (call) => query(call, call.argument(1), call.argument(2)),
  NtAllocateVirtualMemory(call) {
    const { machine } = call
    const at = allocate(call, machine.readPointer(call.argument(1)), machine.readPointer(call.argument(3)))
    if (at !== 0) machine.writePointer(call.argument(1), at)
    return at === 0 ? noMemory : success
  },
  NtProtectVirtualMemory(call) {
    const { machine } = call
    const [at, size] = [machine.readPointer(call.argument(1)), machine.readPointer(call.argument(2))]
    return protect(call, at, size, call.word(3), call.argument(4)) === 1 ? success : noMemory
  },
  NtFreeVirtualMemory: () => success,
  WriteProcessMemory(call) {
    copy(call, call.argument(1), call.argument(2), call.argument(3))
    if (call.argument(4) !== 0) call.machine.writePointer(call.argument(4), call.argument(3))
    return 1
  },
  ReadProcessMemory(call) {
    copy(call, call.argument(2), call.argument(1), call.argument(3))
    if (call.argument(4) !== 0) call.machine.writePointer(call.argument(4), call.argument(3))
    return 1
  },
  RtlMoveMemory: (call) => copy(call, call.argument(0), call.argument(1), call.argument(2)),
  RtlCopyMemory: (call) => copy(call, call.argument(0), call.argument(1), call.argument(2)),
  RtlZeroMemory: (call) => fill(call, call.argument(0), 0, call.argument(1)),
  RtlFillMemory: (call) => fill(call, call.argument(0), call.word(2), call.argument(1)),
  memcpy: (call) => copy(call, call.argument(0), call.argument(1), call.argument(2)),
  memmove: (call) => copy(call, call.argument(0), call.argument(1), call.argument(2)),
  memset: (call) => fill(call, call.argument(0), call.word(1), call.argument(2)),
  GetProcessHeap: ({ process }) => process.environment.heap,
  HeapCreate: ({ process }) => process.environment.heap,
  HeapAlloc: (call) => allocateZeroed(call, call.argument(2)),
  RtlAllocateHeap: (call) => allocateZeroed(call, call.argument(2)),
  HeapReAlloc: (call) => call.process.heap.reallocate(call.argument(2), call.argument(3)),
  HeapSize: (call) => call.process.heap.sizeOf(call.argument(2)) ?? -1,
  LocalAlloc: (call) => allocateZeroed(call, call.argument(1)),
  GlobalAlloc: (call) => allocateZeroed(call, call.argument(1)),
  GlobalLock: (call) => call.argument(0),
  LocalFree: () => 0,
  GlobalFree: () => 0,
  malloc: (call) => allocateZeroed(call, call.argument(0)),
  calloc: (call) => allocateZeroed(call, call.argument(0) * call.argument(1)),
  realloc: (call) => call.process.heap.reallocate(call.argument(0), call.argument(1)),
  free: () => 0,
}
