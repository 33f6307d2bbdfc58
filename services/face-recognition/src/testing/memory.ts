import { readdirSync, readFileSync } from 'node:fs'

const intervalMs = 50

/** Samples the memory of child processes. `stop` returns the peak of a single one, in MB. */
export function watchMemory(): { stop(): number } {
  let peak = 0
  const timer = setInterval(() => {
    for (const pid of children()) peak = Math.max(peak, memoryOf(pid))
  }, intervalMs)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}

const children = () =>
  readdirSync('/proc/self/task').flatMap((thread) =>
    text(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean),
  )

const memoryOf = (pid: string) =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0) / 1024)

/** Returns an empty text for a process that has ended. */
function text(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
