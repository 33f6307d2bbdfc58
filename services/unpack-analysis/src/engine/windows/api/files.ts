import type { Api, Apis, Call } from '../call.ts'
import { programPath } from '../environment.ts'

const invalidHandle = -1
const openExisting = 3
const standardHandles: Readonly<Record<number, number>> = { 4294967286: 4, 4294967285: 8, 4294967284: 12 }

/** Files can be created, without content; only the program itself can be opened. */
const open: Api = (call) => {
  const { process, machine } = call
  const path = call.text(0)
  if (path.toLowerCase() === programPath.toLowerCase()) return process.handles.open('program')
  if (call.word(4) !== openExisting) return process.handles.open('file')
  machine.write(process.environment.lastErrorAt, Buffer.from([2, 0, 0, 0]))
  return invalidHandle
}

const succeed = (call: Call, count: number, at: number) => {
  if (at !== 0) call.writeWord(at, count)
  return 1
}

const tempPath: Api = (call) => {
  const text = call.encoded('C:\\Users\\user\\AppData\\Local\\Temp\\')
  call.machine.write(call.argument(1), text)
  return text.length / (call.target.name.endsWith('W') ? 2 : 1) - 1
}

const systemPath =
  (path: string): Api =>
  (call) => {
    call.machine.write(call.argument(0), call.encoded(path))
    return path.length
  }

/** Reads the program's own file: packers store data behind their sections. */
const read: Api = (call) => {
  const { process } = call
  const handle = call.word(0)
  if (process.handles.kindOf(handle) !== 'program') return succeed(call, 0, call.argument(3))
  const bytes = process.ownFile.next(handle, call.word(2))
  call.machine.write(call.argument(1), bytes)
  return succeed(call, bytes.length, call.argument(3))
}

const size: Api = (call) => (call.process.handles.kindOf(call.word(0)) === 'program' ? call.process.ownFile.size : 0)

const seek: Api = (call) => call.process.ownFile.seek(call.word(0), call.word(1) | 0, call.word(3))

export const fileApis: Apis = {
  CreateFileA: open,
  CreateFileW: open,
  ReadFile: read,
  GetFileSize: size,
  SetFilePointer: seek,
  WriteFile: (call) => succeed(call, call.word(2), call.argument(3)),
  GetStdHandle: (call) => standardHandles[call.word(0)] ?? invalidHandle,
  GetFileType: () => 2,
  GetFileAttributesA: () => invalidHandle,
  GetFileAttributesW: () => invalidHandle,
  FindFirstFileA: () => invalidHandle,
  FindFirstFileW: () => invalidHandle,
  GetTempPathA: tempPath,
  GetTempPathW: tempPath,
  GetSystemDirectoryA: systemPath('C:\\Windows\\System32'),
  GetSystemDirectoryW: systemPath('C:\\Windows\\System32'),
  GetWindowsDirectoryA: systemPath('C:\\Windows'),
  GetWindowsDirectoryW: systemPath('C:\\Windows'),
  CreateMutexA: (call) => call.process.handles.open('mutex'),
  CreateMutexW: (call) => call.process.handles.open('mutex'),
  CreateEventA: (call) => call.process.handles.open('event'),
  CreateEventW: (call) => call.process.handles.open('event'),
  RegOpenKeyExA: () => 2,
  RegOpenKeyExW: () => 2,
  RegQueryValueExA: () => 2,
  RegQueryValueExW: () => 2,
}
