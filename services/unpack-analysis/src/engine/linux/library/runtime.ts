import { type Api, type Apis, type Call, deferred } from '../call.ts'
import { systemCalls } from '../system/index.ts'
import { errnoAddress } from './shared.ts'

/** Runs the program's initializers, then its main function. */
const startMain: Api = (call) => {
  const { process, machine } = call
  const [main, count, list] = [call.argument(0), call.word(1), call.argument(2)]
  const environment = list + (count + 1) * 8
  const next = ([first, ...rest]: readonly number[]): void => {
    if (first !== undefined) process.callProgram(first, [count, list, environment], () => next(rest))
    else
      process.callProgram(main, [count, list, environment], (result) =>
        process.stop({ why: 'exit', text: `the program returned ${result & 0xff}` }),
      )
  }
  machine.sp += 8
  next(process.init)
  return deferred
}

const exit: Api = (call) => {
  call.process.stop({ why: 'exit', text: `the program ended with ${call.word(0) & 0xff}` })
  return deferred
}

/** Runs a thread to its end immediately: there is only one. */
const startThread: Api = (call) => {
  const { process } = call
  const into = call.argument(0)
  if (into !== 0) call.machine.writePointer(into, 0x7e01)
  process.callProgram(call.argument(2), [call.argument(3)], () => process.returnFromLibrary(0))
  return deferred
}

const handle: Api = (call) => {
  const { handlers } = call.process.signals
  const before = handlers.get(call.word(0)) ?? 0
  handlers.set(call.word(0), call.argument(1))
  return before
}

/** Makes the system call whose number is the first argument. */
const anyCall: Api = (call) => {
  const { machine, process } = call
  const number = Number(machine.get('di'))
  const [si, dx, cx, r8, r9] = (['si', 'dx', 'cx', 'r8', 'r9'] as const).map((name) => machine.get(name))
  for (const [name, value = 0n] of [
    ['di', si],
    ['si', dx],
    ['dx', cx],
    ['cx', r8],
    ['r8', r9],
  ] as const)
    machine.set(name, value)
  const system = systemCalls[process.callName(number)]
  return system ? system(call) : -1
}

const sleep = (unitMs: number): Api => {
  return (call) => {
    call.process.clockMs += call.word(0) * unitMs
    return 0
  }
}

const allocate = (call: Call, size: number) => call.process.heap.allocate(size)

export const runtimeFunctions: Apis = {
  __libc_start_main: startMain,
  exit,
  abort: exit,
  malloc: (call) => allocate(call, call.argument(0)),
  calloc: (call) => allocate(call, call.argument(0) * call.argument(1)),
  realloc: (call) => call.process.heap.reallocate(call.argument(0), call.argument(1)),
  aligned_alloc: (call) => allocate(call, call.argument(1)),
  __errno_location: errnoAddress,
  pthread_create: startThread,
  signal: handle,
  dlopen: () => 0x7e10,
  dlsym: (call) => call.process.linker.addressOf(call.text(1)),
  syscall: anyCall,
  sleep: sleep(1_000),
  usleep: sleep(0.001),
  rand: () => 1_804_289_383,
  random: () => 1_804_289_383,
  getpagesize: () => 0x1000,
  sysconf: (call) => (call.word(0) === 30 ? 0x1000 : 4),
}
