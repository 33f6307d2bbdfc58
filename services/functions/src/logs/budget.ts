/** What one function may have written of it, on one node. */
export interface Budget {
  /** False if it has used up what it may write for now. */
  take(bytes: number): boolean
  /** How many were refused since the last time that this was asked. */
  refused(): number
}

const burstBytes = 2 ** 20
const bytesPerSecond = 64 * 1024
/** What a line costs beside its text. */
const lineBytes = 100

export function budget(nowMs: () => number = () => performance.now()): Budget {
  let left = burstBytes
  let since = nowMs()
  let count = 0
  return {
    take(bytes) {
      const now = nowMs()
      left = Math.min(burstBytes, left + ((now - since) / 1_000) * bytesPerSecond)
      since = now
      if (left < bytes + lineBytes) {
        count++
        return false
      }
      left -= bytes + lineBytes
      return true
    },
    refused() {
      const refused = count
      count = 0
      return refused
    },
  }
}
