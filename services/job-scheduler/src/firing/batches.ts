import { setTimeout as sleep } from 'node:timers/promises'

/** Results in the order in which they come, those that come close together in one batch. */
export async function* inBatches<T>(all: readonly Promise<T>[], withinMs: number): AsyncGenerator<T[]> {
  let arrived: T[] = []
  let missing = all.length
  let wake = () => {}
  const everything = Promise.all(
    all.map(async (one) => {
      const result = await one // before `arrived` is looked at: it may be another array by then
      arrived.push(result)
      missing--
      wake()
    }),
  )
  everything.catch(() => wake()) // thrown below, where somebody waits
  while (missing > 0 || arrived.length > 0) {
    if (arrived.length === 0) await Promise.race([everything, new Promise<void>((resolve) => (wake = resolve))])
    if (missing > 0) await Promise.race([everything, sleep(withinMs)])
    const some = arrived
    arrived = []
    if (some.length > 0) yield some
  }
  await everything
}
