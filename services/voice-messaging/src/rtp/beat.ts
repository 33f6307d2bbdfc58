import { frameMs } from './packet.ts'

/** Called at every beat with its scheduled time; returns false to leave. */
export type OnBeat = (scheduledMs: number, nowMs: number) => boolean

/** One 20 ms timer for all calls of a process. */
export interface Beat {
  join(onBeat: OnBeat): void
}

export function beat(): Beat {
  const members = new Set<OnBeat>()
  let nextMs = 0
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    const nowMs = performance.now()
    // Timers have millisecond resolution, and may fire up to one too early.
    for (; nextMs <= nowMs + 0.5; nextMs += frameMs) {
      for (const member of members) if (!member(nextMs, nowMs)) members.delete(member)
    }
    timer = members.size === 0 ? undefined : setTimeout(tick, Math.max(0, nextMs - performance.now()))
  }

  return {
    join(onBeat) {
      members.add(onBeat)
      if (timer) return
      nextMs = performance.now()
      timer = setTimeout(tick, 0)
    },
  }
}
