import type { Apis, Call } from '../call.ts'

/** 15 May 2024 as a FILETIME. */
const startTime = 133_602_048_000_000_000n
const ticksPerMs = 10_000

const ticks = ({ process }: Call) => Math.floor(process.clockMs)

function writeTicks(call: Call, at: number, value: bigint): void {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  call.machine.write(at, bytes)
}

const fileTime = (call: Call) => {
  writeTicks(call, call.argument(0), startTime + BigInt(Math.floor(call.process.clockMs * ticksPerMs)))
  return 0
}

function calendar(call: Call): number {
  const bytes = Buffer.alloc(16)
  for (const [index, value] of [2024, 5, 3, 15, 9, 30, Math.floor(call.process.clockMs / 1000) % 60, 0].entries())
    bytes.writeUInt16LE(value, index * 2)
  call.machine.write(call.argument(0), bytes)
  return 0
}

/** Advances the emulated clock. */
const sleep = (call: Call) => {
  const ms = call.word(0)
  call.process.clockMs += ms === 0xffff_ffff ? 3_600_000 : ms
  return 0
}

export const timeApis: Apis = {
  GetTickCount: ticks,
  GetTickCount64: ticks,
  timeGetTime: ticks,
  Sleep: sleep,
  SleepEx: sleep,
  NtDelayExecution: () => 0,
  QueryPerformanceFrequency(call) {
    writeTicks(call, call.argument(0), 10_000_000n)
    return 1
  },
  QueryPerformanceCounter(call) {
    writeTicks(call, call.argument(0), BigInt(Math.floor(call.process.clockMs * ticksPerMs)))
    return 1
  },
  GetSystemTimeAsFileTime: fileTime,
  GetSystemTimePreciseAsFileTime: fileTime,
  GetSystemTime: calendar,
  GetLocalTime: calendar,
  time: (call) => Math.floor(1_715_765_400 + call.process.clockMs / 1000),
  _time64: (call) => Math.floor(1_715_765_400 + call.process.clockMs / 1000),
  clock: ticks,
}
