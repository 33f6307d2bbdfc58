import { type Api, type Apis, type Call, deferred } from '../call.ts'
import { systemCalls } from '../system/index.ts'

/** Where the number of the last error is kept, one place for each program. */
export function errorPlace({ process }: Call): number {
  const there = places.get(process)
  if (there !== undefined) return there
  const at = process.heap.allocate(16)
  places.set(process, at)
  return at
}
const places = new WeakMap<object, number>()

/** A function of the library that is a call of the system: a failure is -1, and its number kept apart. */
const asFunction =
  (system: Api): Api =>
  (call) => {
    const answer = system(call)
    if (answer === deferred || Number(answer) >= 0 || Number(answer) < -4_095) return answer
    const number = Buffer.alloc(4)
    number.writeInt32LE(-Number(answer))
    call.machine.write(errorPlace(call), number)
    return -1
  }

const otherNames: Readonly<Record<string, string>> = {
  open64: 'open',
  openat64: 'openat',
  mmap64: 'mmap',
  pread: 'pread64',
  pwrite: 'pwrite64',
  lseek64: 'lseek',
  ftruncate64: 'ftruncate',
  _exit: 'exit',
  send: 'sendto',
  recv: 'recvfrom',
  sigaction: 'rt_sigaction',
  raise: 'tkill',
}

/** Of these the library does more than the system. */
const others = new Set(['exit', 'brk', 'clone', 'raise'])

export const sharedFunctions: Apis = Object.fromEntries([
  ...Object.entries(systemCalls)
    .filter(([name]) => !others.has(name))
    .map(([name, system]) => [name, asFunction(system)] as const),
  ...Object.entries(otherNames)
    .filter(([name]) => !others.has(name))
    .map(([name, system]) => [name, asFunction(systemCalls[system] as Api)] as const),
])
