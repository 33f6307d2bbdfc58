import { type Api, type Apis, type Call, deferred } from '../call.ts'
import { systemCalls } from '../system/index.ts'

/** Returns the address of errno. */
export function errnoAddress({ process }: Call): number {
  const existing = addresses.get(process)
  if (existing !== undefined) return existing
  const address = process.heap.allocate(16)
  addresses.set(process, address)
  return address
}
const addresses = new WeakMap<object, number>()

/** Wraps a system call as a library function: errors become -1, with their number in errno. */
const asFunction =
  (system: Api): Api =>
  (call) => {
    const answer = system(call)
    if (answer === deferred || Number(answer) >= 0 || Number(answer) < -4_095) return answer
    const number = Buffer.alloc(4)
    number.writeInt32LE(-Number(answer))
    call.machine.write(errnoAddress(call), number)
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

/** Names for which the library does more than the system call. */
const excluded = new Set(['exit', 'brk', 'clone', 'raise'])

export const sharedFunctions: Apis = Object.fromEntries([
  ...Object.entries(systemCalls)
    .filter(([name]) => !excluded.has(name))
    .map(([name, system]) => [name, asFunction(system)] as const),
  ...Object.entries(otherNames)
    .filter(([name]) => !excluded.has(name))
    .map(([name, system]) => [name, asFunction(systemCalls[system] as Api)] as const),
])
