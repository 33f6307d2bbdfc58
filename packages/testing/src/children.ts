import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Child processes of a test; those still running are killed on disposal. */
export interface Children extends AsyncDisposable {
  add(child: ChildProcess): ChildProcess
}

export function children(): Children {
  const running = new Set<ChildProcess>()
  return {
    add(child) {
      running.add(child)
      return child.once('exit', () => running.delete(child))
    },
    async [Symbol.asyncDispose]() {
      const ends = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(ends)
    },
  }
}
