/** Log rate limit of one function on one node. */
export interface Budget {
  /** False if the limit is reached. */
  take(bytes: number): boolean
  /** Number of refused lines since the last call. */
  refused(): number
}

const burstBytes = 2 ** 20
const bytesPerSecond = 64 * 1024
/** Cost of a line in addition to its text. */
const lineBytes = 100

export function budget(nowMs: () => number = () => performance.now()): Budget {
  let available = burstBytes
  let since = nowMs()
  let count = 0
  return {
    take(bytes) {
      const now = nowMs()
      available = Math.min(burstBytes, available + ((now - since) / 1_000) * bytesPerSecond)
      since = now
      if (available < bytes + lineBytes) {
        count++
        return false
      }
      available -= bytes + lineBytes
      return true
    },
    refused() {
      const refused = count
      count = 0
      return refused
    },
  }
}
