import { Readable } from 'node:stream'
import type { WatchedRequest } from './contract.ts'

export type Matches = (request: WatchedRequest) => boolean

/** A stream of server-sent events. */
export interface Watcher {
  readonly stream: Readable
  /** Skips the event while the reader is too slow. */
  offer(request: WatchedRequest, event: string): void
  end(): void
}

/** Events are sent in batches: a write for each costs as much as all the rest. */
const batchMs = 100
/** Length of a batch, beyond which events are skipped. At most two are in memory. */
const maxBatchLength = 256 * 1024
/** More often than proxies, and our own limit, close an idle connection. */
const heartbeatMs = 15_000
const reconnectMs = 2_000

export function openWatcher(matches: Matches, onClose: () => void): Watcher {
  let batch = `retry: ${reconnectMs}\n\n` // also sends the headers
  let skipped = 0
  let isWanted = false
  let isEnded = false
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    if (!isWanted || isEnded || (batch === '' && skipped === 0)) return
    if (skipped > 0) batch += `event: skipped\ndata: ${JSON.stringify({ count: skipped })}\n\n`
    isWanted = false
    stream.push(batch)
    batch = ''
    skipped = 0
  }

  const heartbeat = setInterval(() => {
    if (batch === '') batch = ':\n\n'
    flush()
  }, heartbeatMs).unref()
  const stream = new Readable({
    highWaterMark: 0,
    read() {
      isWanted = true
      timer ??= setTimeout(flush, batchMs)
    },
    destroy(error, done) {
      clearInterval(heartbeat)
      clearTimeout(timer)
      isEnded = true
      onClose()
      done(error)
    },
  })
  return {
    stream,
    offer(request, event) {
      if (!matches(request)) return
      if (batch.length + event.length > maxBatchLength) skipped++
      else batch += event
      timer ??= setTimeout(flush, batchMs)
    },
    end() {
      if (isEnded) return
      isEnded = true
      stream.push(null)
    },
  }
}
