import { type Api, type Apis, type Call, deferred } from '../call.ts'
import { processId, programPath, threadId } from '../environment.ts'

const success = 0
const portNotSet = 0xc000_0353

const exit: Api = (call) => {
  call.process.stop({ why: 'exit', text: `the program ended with ${call.word(0)}` })
  return deferred
}

const terminate: Api = (call) => {
  const handle = call.word(0)
  if (handle !== 0xffff_ffff && call.process.handles.kindOf(handle) !== 'process') return 1
  call.process.stop({ why: 'exit', text: `the program exited with ${call.word(1)}` })
  return deferred
}

/** Runs a thread to its end immediately: there is only one. */
const startThread =
  (start: number, parameter: number): Api =>
  (call) => {
    const { process, target } = call
    const handle = process.handles.open('thread')
    process.callProgram(call.argument(start), [call.argument(parameter)], () => process.returnFrom(target, handle))
    return deferred
  }

/** Answers queries of debugger checks. */
const queryProcess: Api = (call) => {
  const into = call.argument(2)
  const [debugPort, debugObject, debugFlags] = [7, 0x1e, 0x1f]
  const query = call.word(1)
  if (query === debugObject) return portNotSet
  if (query === debugPort) call.machine.writePointer(into, 0)
  if (query === debugFlags) call.writeWord(into, 1)
  return success
}

/** Returns the address of a constant text, allocated once per process. */
const constantText = (text: string): Api => {
  const addresses = new WeakMap<object, number>()
  return (call) => {
    const existing = addresses.get(call.process)
    if (existing !== undefined) return existing
    const bytes = call.encoded(text)
    const at = call.process.heap.allocate(bytes.length)
    call.machine.write(at, bytes)
    addresses.set(call.process, at)
    return at
  }
}

function startupInfo(call: Call): number {
  const size = call.machine.bits === 64 ? 104 : 68
  const bytes = Buffer.alloc(size)
  bytes.writeUInt32LE(size)
  call.machine.write(call.argument(0), bytes)
  return 0
}

function version(call: Call): number {
  const numbers = Buffer.alloc(16)
  for (const [index, value] of [10, 0, 19_045, 2].entries()) numbers.writeUInt32LE(value, index * 4)
  call.machine.write(call.argument(0) + 4, numbers)
  return 1
}

function systemInfo(call: Call): number {
  const is64 = call.machine.bits === 64
  const bytes = Buffer.alloc(is64 ? 48 : 36)
  bytes.writeUInt16LE(is64 ? 9 : 0)
  bytes.writeUInt32LE(0x1000, 4)
  bytes.writeUInt32LE(4, is64 ? 32 : 20)
  bytes.writeUInt32LE(0x10000, is64 ? 40 : 28)
  call.machine.write(call.argument(0), bytes)
  return 0
}

const vectored =
  (index: number): Api =>
  (call) => {
    const { vectored: handlers } = call.process.exceptions
    if (call.word(0) === 0) handlers.push(call.argument(index))
    else handlers.unshift(call.argument(index))
    return call.argument(index)
  }

export const processApis: Apis = {
  ExitProcess: exit,
  exit,
  _exit: exit,
  _cexit: () => 0,
  RtlExitUserProcess: exit,
  ExitThread: exit,
  abort: exit,
  TerminateProcess: terminate,
  NtTerminateProcess: terminate,
  GetCurrentProcess: () => -1,
  GetCurrentThread: () => -2,
  GetCurrentProcessId: () => processId,
  GetCurrentThreadId: () => threadId,
  GetCommandLineA: constantText(`"${programPath}"`),
  GetCommandLineW: constantText(`"${programPath}"`),
  GetEnvironmentStringsA: constantText('SystemRoot=C:\\Windows\0'),
  GetEnvironmentStringsW: constantText('SystemRoot=C:\\Windows\0'),
  GetStartupInfoA: startupInfo,
  GetStartupInfoW: startupInfo,
  GetVersion: () => 0x4a65_000a,
  GetVersionExA: version,
  GetVersionExW: version,
  RtlGetVersion: (call) => (version(call) === 1 ? success : success),
  GetSystemInfo: systemInfo,
  GetNativeSystemInfo: systemInfo,
  GetLastError: ({ machine, process }) => machine.read(process.environment.lastErrorAt, 4)?.readUInt32LE() ?? 0,
  SetLastError(call) {
    call.writeWord(call.process.environment.lastErrorAt, call.word(0))
    return 0
  },
  IsDebuggerPresent: () => 0,
  CheckRemoteDebuggerPresent(call) {
    call.writeWord(call.argument(1), 0)
    return 1
  },
  NtQueryInformationProcess: queryProcess,
  ZwQueryInformationProcess: queryProcess,
  NtSetInformationThread: () => success,
  ZwSetInformationThread: () => success,
  NtClose: () => success,
  CreateThread: startThread(2, 3),
  _beginthreadex: startThread(2, 3),
  WaitForSingleObject: () => 0,
  WaitForSingleObjectEx: () => 0,
  WaitForMultipleObjects: () => 0,
  SetUnhandledExceptionFilter(call) {
    const before = call.process.exceptions.filter
    call.process.exceptions.filter = call.argument(0)
    return before
  },
  AddVectoredExceptionHandler: vectored(1),
  RtlAddVectoredExceptionHandler: vectored(1),
  RemoveVectoredExceptionHandler(call) {
    const { vectored: handlers } = call.process.exceptions
    const index = handlers.indexOf(call.argument(0))
    if (index >= 0) handlers.splice(index, 1)
    return 1
  },
  RaiseException(call) {
    const { process, machine, target } = call
    const [code, address] = [call.word(0), machine.readPointer(machine.sp)]
    process.returnFrom(target, 0)
    process.exceptions.throw({ code, address, details: [] })
    return deferred
  },
  CloseHandle: (call) => (call.process.handles.close(call.word(0)) ? 1 : 0),
  GetSystemMetrics: () => 1024,
  EncodePointer: (call) => call.argument(0),
  DecodePointer: (call) => call.argument(0),
  InterlockedExchange(call) {
    const before = call.machine.read(call.argument(0), 4)?.readUInt32LE() ?? 0
    call.writeWord(call.argument(0), call.word(1))
    return before
  },
}
