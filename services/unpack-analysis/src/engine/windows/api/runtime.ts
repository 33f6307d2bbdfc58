import { type Api, type Apis, type Call, deferred } from '../call.ts'
import { programPath } from '../environment.ts'

/** Returns the address of data of the C library, allocated and filled once per process. */
const data = (size: number, fill?: (call: Call, at: number) => void): Api => {
  const addresses = new WeakMap<object, number>()
  return (call) => {
    let at = addresses.get(call.process)
    if (at === undefined) {
      at = call.process.heap.allocate(size)
      fill?.(call, at)
      addresses.set(call.process, at)
    }
    return at
  }
}

function allocateText(call: Call, text: string): number {
  const bytes = Buffer.from(`${text}\0`, 'latin1')
  const at = call.process.heap.allocate(bytes.length)
  call.machine.write(at, bytes)
  return at
}

const mainArguments: Api = (call) => {
  const { machine, process } = call
  const list = process.heap.allocate(2 * machine.pointerSize)
  machine.writePointer(list, allocateText(call, programPath))
  const environment = process.heap.allocate(machine.pointerSize)
  call.writeWord(call.argument(0), 1)
  machine.writePointer(call.argument(1), list)
  machine.writePointer(call.argument(2), environment)
  return 0
}

/** Calls every function of a table in order. */
const initialize: Api = (call) => {
  const { process, machine, target } = call
  const [from, to] = [call.argument(0), call.argument(1)]
  const next = (at: number): void => {
    const address = at < to && to - at <= 0x10000 ? machine.readPointer(at) : undefined
    if (address === undefined) process.returnFrom(target, 0)
    else if (address === 0) next(at + machine.pointerSize)
    else process.callProgram(address, [], () => next(at + machine.pointerSize))
  }
  next(from)
  return deferred
}

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
const texts = (call: Call) => [call.text(0), call.text(1)] as const

const copyText: Api = (call) => {
  call.machine.write(call.argument(0), call.encoded(call.text(1)))
  return call.argument(0)
}

const appendText: Api = (call) => {
  const [left, right] = texts(call)
  call.machine.write(call.argument(0), call.encoded(left + right))
  return call.argument(0)
}

const compareTexts: Api = (call) => compare(...texts(call))
const compareIgnoringCase: Api = (call) => {
  const [left, right] = texts(call)
  return compare(left.toLowerCase(), right.toLowerCase())
}
const comparePrefixes: Api = (call) => {
  const [left, right] = texts(call)
  return compare(left.slice(0, call.word(2)), right.slice(0, call.word(2)))
}

export const runtimeApis: Apis = {
  __getmainargs: mainArguments,
  __wgetmainargs: mainArguments,
  _initterm: initialize,
  _initterm_e: initialize,
  __set_app_type: () => 0,
  __setusermatherr: () => 0,
  __p__fmode: data(8),
  __p__commode: data(8),
  __p__acmdln: data(8, (call, at) => call.machine.writePointer(at, allocateText(call, `"${programPath}"`))),
  __p___initenv: data(8),
  __iob_func: data(0x300),
  __acrt_iob_func: data(0x300),
  _onexit: (call) => call.argument(0),
  __dllonexit: (call) => call.argument(0),
  _lock: () => 0,
  _unlock: () => 0,
  signal: () => 0,
  strlen: (call) => call.textAt(call.argument(0)).length,
  wcslen: (call) => call.wideAt(call.argument(0)).length,
  lstrlenA: (call) => call.text(0).length,
  lstrlenW: (call) => call.text(0).length,
  lstrcpyA: copyText,
  lstrcpyW: copyText,
  strcpy: copyText,
  lstrcatA: appendText,
  lstrcatW: appendText,
  strcat: appendText,
  strcmp: compareTexts,
  lstrcmpA: compareTexts,
  lstrcmpW: compareTexts,
  _stricmp: compareIgnoringCase,
  lstrcmpiA: compareIgnoringCase,
  lstrcmpiW: compareIgnoringCase,
  strncmp: comparePrefixes,
  memcmp(call) {
    const size = Math.min(call.argument(2), 0x100000)
    const [left, right] = [0, 1].map((index) => call.machine.read(call.argument(index), size) ?? Buffer.alloc(0))
    return Buffer.compare(left as Buffer, right as Buffer)
  },
  printf: (call) => call.textAt(call.argument(0)).length,
  puts: (call) => call.textAt(call.argument(0)).length,
  vfprintf: (call) => call.textAt(call.argument(1)).length,
  fprintf: (call) => call.textAt(call.argument(1)).length,
  fwrite: (call) => call.argument(2),
  _errno: data(8),
}

/** Number of arguments of cdecl functions, for the report. */
export const runtimeArguments: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['malloc', 'free', 'strlen', 'wcslen', 'puts', 'exit', '_exit', '_onexit', '__set_app_type'].map((name) => [
      name,
      1,
    ]),
  ),
  ...Object.fromEntries(['_lock', '_unlock', '__setusermatherr', '__acrt_iob_func'].map((name) => [name, 1])),
  ...Object.fromEntries(
    ['calloc', 'realloc', 'strcmp', 'strcpy', 'strcat', '_initterm', '_stricmp', 'signal'].map((name) => [name, 2]),
  ),
  ...Object.fromEntries(['memcpy', 'memmove', 'memset', 'memcmp', 'strncmp', 'vfprintf'].map((name) => [name, 3])),
  ...Object.fromEntries(
    ['_cexit', 'abort', '__p__fmode', '__p__commode', '__p__acmdln', '__p___initenv', '__iob_func', '_errno'].map(
      (name) => [name, 0],
    ),
  ),
}
