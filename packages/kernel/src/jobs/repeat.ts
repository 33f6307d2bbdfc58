import type { Logger } from 'pino'

export interface Loop {
  wake(): void
  stop(): Promise<void>
}

const afterErrorMs = 2_000

/** Repeats a turn until stopped. The next one starts after the number of milliseconds returned, or when woken. */
export function repeat(turn: () => Promise<number>, log: Logger): Loop {
  let stopping = false
  let woken = false
  let wakeUp = () => {}

  async function loop(): Promise<void> {
    while (!stopping) {
      woken = false
      const pauseMs = await turn().catch((error: Error) => {
        log.error({ err: error }, 'the worker could not reach its queue and will try again')
        return afterErrorMs
      })
      if (woken || pauseMs === 0) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const looping = loop()
  const wake = () => {
    woken = true
    wakeUp()
  }
  return {
    wake,
    async stop() {
      stopping = true
      wake()
      await looping
    },
  }
}
