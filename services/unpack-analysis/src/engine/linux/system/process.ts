import { type Api, type Apis, type Call, deferred, errno } from '../call.ts'

const processId = 4312
const parentId = 4200
const sharesMemory = 0x100
const setThread = 0x1002
const getThread = 0x1003

const exit: Api = (call) => {
  call.process.stop({ why: 'exit', text: `the program ended with ${call.word(0) & 0xff}` })
  return deferred
}

/** Follows the child: programs do their work in the background. */
const fork: Api = (call) => {
  call.process.trace.event('the program started a copy of itself, which is followed')
  return 0
}

/** Describes a common machine. */
function name(call: Call): number {
  const fields = ['Linux', 'desktop', '6.1.0-21-amd64', '#1 SMP PREEMPT_DYNAMIC Debian 6.1.90-1', 'x86_64', '(none)']
  const bytes = Buffer.alloc(fields.length * 65)
  for (const [index, field] of fields.entries()) bytes.write(field, index * 65)
  return call.machine.write(call.argument(0), bytes) ? 0 : errno.fault
}

function threadData(call: Call): number {
  const [operation, value] = [call.word(0), call.argument(1)]
  if (operation === setThread) call.machine.setThreadData(value, 0, 'fs')
  else if (operation === getThread) return call.machine.writePointer(value, call.machine.threadData) ? 0 : errno.fault
  else return errno.invalid
  return 0
}

function random(call: Call): number {
  const bytes = Buffer.from(Array.from({ length: Math.min(call.argument(1), 256) }, (_, at) => (at * 167 + 91) & 0xff))
  return call.machine.write(call.argument(0), bytes) ? bytes.length : errno.fault
}

function limitOf(call: Call, into: number): number {
  return into === 0 || call.writeNumbers(into, 8 * 2 ** 20, -1) ? 0 : errno.fault
}

function handle(call: Call): number {
  const { handlers } = call.process.signals
  const [number, action, before] = [call.word(0), call.argument(1), call.argument(2)]
  if (before !== 0) call.writeNumbers(before, handlers.get(number) ?? 0, 0, 0, 0)
  if (action !== 0) handlers.set(number, call.machine.readPointer(action))
  return 0
}

/** Delivers signals of the program to itself only. */
const kill =
  (index: number): Api =>
  (call) => {
    const { process, machine } = call
    const [target, number] = [call.word(index), call.word(index + 1)]
    if (target !== processId && target !== 0) return errno.noSuchProcess
    if (number === 0) return 0
    machine.set('ax', 0)
    if (!process.signals.deliver(number)) process.stop({ why: 'exit', text: `the program ended by signal ${number}` })
    return deferred
  }

const succeed: Api = () => 0
const id: Api = () => processId
const user: Api = () => 1000

export const processCalls: Apis = {
  exit,
  exit_group: exit,
  fork,
  vfork: fork,
  clone: (call) => (call.argument(0) & sharesMemory && call.argument(1) !== 0 ? errno.again : fork(call)),
  wait4: () => errno.noChild,
  getpid: id,
  gettid: id,
  set_tid_address: id,
  getpgrp: id,
  setsid: id,
  getppid: () => parentId,
  getuid: user,
  geteuid: user,
  getgid: user,
  getegid: user,
  uname: name,
  arch_prctl: threadData,
  getrandom: random,
  prlimit64: (call) => limitOf(call, call.argument(3)),
  getrlimit: (call) => limitOf(call, call.argument(1)),
  rt_sigaction: handle,
  rt_sigreturn(call) {
    call.process.signals.restore()
    return deferred
  },
  kill: kill(0),
  tkill: kill(0),
  tgkill: kill(1),
  // Succeeds, as without a debugger.
  ptrace: succeed,
  prctl: succeed,
  rt_sigprocmask: succeed,
  sigaltstack: succeed,
  set_robust_list: succeed,
  futex: succeed,
  sched_yield: succeed,
  sched_getaffinity: succeed,
  setpgid: succeed,
  setuid: succeed,
  setgid: succeed,
  alarm: succeed,
}
