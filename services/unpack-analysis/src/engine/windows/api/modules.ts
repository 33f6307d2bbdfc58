import type { Apis, Call } from '../call.ts'
import { programPath } from '../environment.ts'

const success = 0
const notFound = 0xc000_0139

function handleOf({ process }: Call, name: string): number {
  return name === '' ? 0 : process.modules.load(name).base
}

function functionOf(call: Call, handle: number, name: string): number {
  const { process, machine } = call
  const module = process.modules.moduleAt(handle)
  const target = module && process.modules.find(module, name)
  if (!target) machine.write(process.environment.lastErrorAt, Buffer.from([127, 0, 0, 0]))
  return target?.address ?? 0
}

/** A name or an ordinal. */
const requested = (call: Call, index: number) => {
  const value = call.argument(index)
  return value < 0x10000 ? `#${value}` : call.textAt(value)
}

/** Reads a counted string of the kernel. */
function countedText({ machine, process }: Call, at: number, isWide: boolean): string {
  const length = machine.read(at, 2)?.readUInt16LE() ?? 0
  return process.space
    .readUpTo(machine.readPointer(at + machine.pointerSize), length)
    .toString(isWide ? 'utf16le' : 'latin1')
}

const getModuleHandle = (call: Call) => {
  if (call.argument(0) === 0) return call.process.pe.base
  return handleOf(call, call.text(0))
}

function getModuleFileName(call: Call): number {
  const module = call.process.modules.moduleAt(call.argument(0))
  const path = module ? `C:\\Windows\\System32\\${module.name}` : programPath
  const text = call.encoded(path)
  const letter = call.target.name.endsWith('W') ? 2 : 1
  const fits = text.length <= call.word(2) * letter
  if (fits) call.machine.write(call.argument(1), text)
  return fits ? path.length : 0
}

const load = (call: Call) => handleOf(call, call.text(0))

export const moduleApis: Apis = {
  LoadLibraryA: load,
  LoadLibraryW: load,
  LoadLibraryExA: (call) => handleOf(call, call.textAt(call.argument(0))),
  LoadLibraryExW: (call) => handleOf(call, call.wideAt(call.argument(0))),
  GetModuleHandleA: getModuleHandle,
  GetModuleHandleW: getModuleHandle,
  GetModuleHandleExA(call) {
    return call.machine.writePointer(call.argument(2), handleOf(call, call.textAt(call.argument(1)))) ? 1 : 0
  },
  GetModuleHandleExW(call) {
    return call.machine.writePointer(call.argument(2), handleOf(call, call.wideAt(call.argument(1)))) ? 1 : 0
  },
  GetProcAddress: (call) => functionOf(call, call.argument(0), requested(call, 1)),
  GetModuleFileNameA: getModuleFileName,
  GetModuleFileNameW: getModuleFileName,
  LdrLoadDll(call) {
    const base = handleOf(call, countedText(call, call.argument(2), true))
    call.machine.writePointer(call.argument(3), base)
    return success
  },
  LdrGetDllHandle(call) {
    const base = handleOf(call, countedText(call, call.argument(2), true))
    call.machine.writePointer(call.argument(3), base)
    return success
  },
  LdrGetProcedureAddress(call) {
    const name = call.argument(1) === 0 ? `#${call.word(2)}` : countedText(call, call.argument(1), false)
    const address = functionOf(call, call.argument(0), name)
    call.machine.writePointer(call.argument(3), address)
    return address === 0 ? notFound : success
  },
}
