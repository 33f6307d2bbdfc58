import { workerData } from 'node:worker_threads'
import koffi from 'koffi'
import { deadlineOf, isOver, watchdogMemory, whileLocked } from './watchdog.ts'

const memory = watchdogMemory(workerData as SharedArrayBuffer)
const stop = koffi.load('libunicorn.so.2').func('int uc_emu_stop(void *)')

// Repeats: a request to stop is lost if the machine is not running at that time.
for (;;) {
  Atomics.wait(memory.lock, 1, 0, 20)
  whileLocked(memory, () => {
    const handle = memory.handle[0] ?? 0n
    if (handle !== 0n && isOver(deadlineOf(memory))) stop(handle)
  })
}
