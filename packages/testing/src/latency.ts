/** Latency percentiles in milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** Measures sequential runs. */
export async function latencyOf(times: number, once: (index: number) => Promise<void>): Promise<Latency> {
  const took: number[] = []
  for (let index = 0; index < times; index++) {
    const began = performance.now()
    await once(index)
    took.push(performance.now() - began)
  }
  return latencyIn(took)
}

export function latencyIn(took: readonly number[]): Latency {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** A tenant's latency: alone, and while another tenant floods the service. */
export interface Neighbours {
  readonly quiet: Latency
  readonly flooded: Latency
}

export function shownNeighbours({ quiet, flooded }: Neighbours): string {
  const shown = ({ p50, p99 }: Latency) => `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
  return `quiet: ${shown(quiet)}; flooded: ${shown(flooded)}; p99 x ${(flooded.p99 / quiet.p99).toFixed(1)}`
}

/** Repeats a request until it is refused. Returns when the last accepted one was sent, relative to the call. */
export async function acceptedForMs(isAccepted: () => Promise<boolean>): Promise<number> {
  const since = performance.now()
  for (let latest = 0; ; ) {
    const askedAt = performance.now() - since // not when the reply arrives, which may be late on a busy machine
    if (!(await isAccepted())) return latest
    latest = askedAt
    if (latest > 20_000) throw new Error('It is accepted for ever.')
  }
}
