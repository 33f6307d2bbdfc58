import { hostname } from 'node:os'
import type { EndedSpan, Log } from '@icosa/kernel'
import { otlpOf } from './otlp.ts'

/** Collector that receives traces as OTLP over HTTP in JSON. */
export interface Collector {
  /** Such as http://localhost:4318, followed by `/v1/traces`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Our name in the collector. */
  readonly serviceName: string
}

export interface Exporter {
  /** Returns immediately: spans beyond the limit are dropped and counted. */
  readonly add: (span: EndedSpan) => void
  sent(): number
  lost(): number
  /** Sends the rest, if the collector accepts it in time. */
  close(withinMs?: number): Promise<void>
}

const batchLength = 512
/** About 500 bytes each. */
const maxWaiting = 4_096
const pauseMs = 2_000
const timeoutMs = 5_000
const closeTimeoutMs = 800
const remarkMs = 60_000

/** Statuses after which the same spans may be retried; other refusals are final. */
const transient: ReadonlySet<number> = new Set([429, 502, 503, 504])

export function openExporter({ url, headers = {}, serviceName }: Collector, log: Log): Exporter {
  const address = `${url.replace(/\/$/, '')}/v1/traces`
  const resource = { 'service.name': serviceName, 'host.name': hostname(), 'process.pid': String(process.pid) }
  let waiting: EndedSpan[] = []
  let [sent, lost] = [0, 0]
  let remarkedAt = Number.NEGATIVE_INFINITY
  let sending: Promise<void> | undefined
  /** Deadline, once the node is shutting down. */
  let closing: AbortSignal | undefined

  function remark(why: string): void {
    if (performance.now() - remarkedAt < remarkMs) return
    remarkedAt = performance.now()
    log.warn({ collector: new URL(address).host, why, lost }, 'traces could not be sent')
  }

  /** Returns whether to continue sending now. */
  async function sendBatch(signal: AbortSignal): Promise<boolean> {
    const batch = waiting.slice(0, batchLength)
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: otlpOf(batch, resource),
      signal,
      redirect: 'error',
    }).catch((error: Error) => remark(error.message))
    await response?.body?.cancel()
    if (!response || transient.has(response.status)) return false
    waiting = waiting.slice(batch.length)
    if (response.ok) sent += batch.length
    else {
      lost += batch.length
      remark(`It answered ${response.status}.`)
    }
    return true
  }

  async function sendAll(): Promise<void> {
    const deadline = () =>
      closing ? AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]) : AbortSignal.timeout(timeoutMs)
    while (waiting.length > 0 && !closing?.aborted && (await sendBatch(deadline())));
  }

  /** One batch at a time: two would contain the same spans. */
  function start(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(start, pauseMs).unref()
  return {
    add(span) {
      if (waiting.length >= maxWaiting) return void lost++
      waiting.push(span)
      if (waiting.length === batchLength) void start()
    },
    sent: () => sent,
    lost: () => lost,
    async close(withinMs = closeTimeoutMs) {
      clearInterval(timer)
      closing = AbortSignal.timeout(withinMs)
      const isLate = new Promise((resolve) => closing?.addEventListener('abort', resolve))
      await Promise.race([(sending ?? Promise.resolve()).then(start), isLate])
      lost += waiting.length
      waiting = []
    },
  }
}
