import { moved, serve } from '../serve.ts'

/** Tasks for test workers. */
export type Task =
  | { readonly echo: unknown }
  | { readonly spinMs: number }
  | { readonly hang: true }
  | { readonly hog: true }
  | { readonly fail: string; readonly kind?: string }
  | { readonly exit: number }
  | { readonly signal: NodeJS.Signals }
  | { readonly bytes: number }
  | { readonly remember: number }

let warmedAt = 0
let argument = ''
let sum = 0

function perform(task: Task): unknown {
  if ('echo' in task) return task.echo
  if ('spinMs' in task) for (const end = performance.now() + task.spinMs; performance.now() < end; );
  // Blocks the thread or process, as native code does.
  if ('hang' in task) return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if ('hog' in task) for (const hoard: unknown[] = []; ; ) hoard.push(new Array(100_000).fill(hoard.length))
  if ('fail' in task) throw Object.assign(new Error(task.fail), { kind: task.kind })
  if ('exit' in task) process.exit(task.exit)
  if ('signal' in task) process.kill(process.pid, task.signal)
  if ('bytes' in task) {
    const bytes = new Uint8Array(task.bytes)
    return moved(bytes, [bytes.buffer])
  }
  if ('remember' in task) sum += task.remember
  return { warmedAt, argument, sum, pid: process.pid }
}

await serve<Task>((value) => {
  argument = value
  warmedAt = performance.timeOrigin + performance.now()
  return perform
})
