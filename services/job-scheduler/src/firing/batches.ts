import { setTimeout as sleep } from 'node:timers/promises'

/** Yields results as they arrive, those that arrive close together in one batch. */
export async function* inBatches<T>(pending: readonly Promise<T>[], withinMs: number): AsyncGenerator<T[]> {
  let arrived: T[] = []
  let remaining = pending.length
  let wake = () => {}
  const everything = Promise.all(
    pending.map(async (promise) => {
      const result = await promise // before `arrived` is evaluated: it may be another array by then
      arrived.push(result)
      remaining--
      wake()
    }),
  )
  everything.catch(() => wake()) // thrown below
  while (remaining > 0 || arrived.length > 0) {
    if (arrived.length === 0) await Promise.race([everything, new Promise<void>((resolve) => (wake = resolve))])
    if (remaining > 0) await Promise.race([everything, sleep(withinMs)])
    const batch = arrived
    arrived = []
    if (batch.length > 0) yield batch
  }
  await everything
}
