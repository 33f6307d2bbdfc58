import { remark } from '@icosa/module'
import type { Program } from './program.ts'

/** Saves often touch several files. */
const settleMs = 100

export interface Reloading {
  /** Socket of the current program; undefined if it ended. */
  socket(): Promise<string | undefined>
  reload(reason: string): void
  stop(): Promise<void>
}

/** One program at a time. A program that fails is shown, and the next save tries again. */
export function openReloading(start: () => Promise<Program>, tail: string[]): Reloading {
  let current = watched(start())
  let timer: NodeJS.Timeout | undefined
  let changing: Promise<unknown> = Promise.resolve()
  /** Whether the current program is to end, so that its end is not reported. */
  let isEnding = false

  function watched(starting: Promise<Program>): Promise<Program> {
    void starting.then(async ({ socket, ended }) => {
      if ((await socket) !== undefined) remark('Ready.')
      const code = await ended
      if (starting === current && !isEnding)
        remark(`The program ended${code === null ? '' : ` with code ${code}`}; the next save starts it again.`)
    })
    return starting
  }

  return {
    socket: async () => {
      await changing
      return (await current).socket
    },
    reload(reason) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        changing = changing.then(async () => {
          isEnding = true
          await (await current).stop()
          isEnding = false
          tail.length = 0
          remark(`Reloading: ${reason}.`)
          current = watched(start())
          await current
        })
      }, settleMs)
    },
    async stop() {
      clearTimeout(timer)
      await changing
      isEnding = true
      await (await current).stop()
    },
  }
}
