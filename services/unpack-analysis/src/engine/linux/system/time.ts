import { type Apis, type Call, errno } from '../call.ts'

/** 15 May 2024. */
const startSeconds = 1_715_765_400

const seconds = ({ process }: Call) => startSeconds + Math.floor(process.clockMs / 1_000)

const writeTime = (call: Call, into: number, perSecond: number) =>
  into === 0 || call.writeNumbers(into, seconds(call), Math.floor(((call.process.clockMs % 1_000) / 1_000) * perSecond))
    ? 0
    : errno.fault

/** Advances the emulated clock. */
function sleep(call: Call, at: number): number {
  const time = call.machine.read(at, 16)
  if (!time) return errno.fault
  call.process.clockMs += Math.min(Number(time.readBigUInt64LE()) * 1_000 + Number(time.readBigUInt64LE(8)) / 1e6, 1e12)
  return 0
}

export const timeCalls: Apis = {
  time(call) {
    if (call.argument(0) !== 0) call.writeNumbers(call.argument(0), seconds(call))
    return seconds(call)
  },
  gettimeofday: (call) => writeTime(call, call.argument(0), 1e6),
  clock_gettime: (call) => writeTime(call, call.argument(1), 1e9),
  clock_getres: (call) => (call.writeNumbers(call.argument(1), 0, 1) ? 0 : errno.fault),
  nanosleep: (call) => sleep(call, call.argument(0)),
  clock_nanosleep: (call) => sleep(call, call.argument(2)),
  pause: (call) => {
    call.process.clockMs += 3_600_000
    return -4
  },
}
