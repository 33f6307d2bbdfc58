import { readdirSync, readFileSync } from 'node:fs'

const everyMs = 50

/** Looks again and again how much memory each process has that this one started. Stopped, it answers the most, in MB. */
export function watchMemory(): { stop(): number } {
  let most = 0
  const timer = setInterval(() => {
    for (const pid of children()) most = Math.max(most, memoryOf(pid))
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return most
    },
  }
}

const children = () =>
  readdirSync('/proc/self/task').flatMap((thread) =>
    text(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean),
  )

const memoryOf = (pid: string) =>
  Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0) / 1024)

/** Nothing of what has ended meanwhile. */
function text(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
