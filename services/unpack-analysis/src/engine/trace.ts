import { limits } from './limits.ts'

/** A call of the system, as the sample made it. */
export interface TracedCall {
  readonly name: string
  readonly arguments: readonly string[]
  readonly result: string
  /** The layer that made it: 0 is the file as it came. */
  readonly layer: number
  readonly atMs: number
}

/** What happened, in order. */
export class Trace {
  readonly calls: TracedCall[] = []
  readonly events: { readonly text: string; readonly atMs: number; readonly afterCalls: number }[] = []
  readonly #begin = performance.now()
  count = 0

  #now(): number {
    return Math.round(performance.now() - this.#begin)
  }

  call(call: Omit<TracedCall, 'atMs'>): void {
    this.count++
    if (this.calls.length < limits.listedCalls) this.calls.push({ ...call, atMs: this.#now() })
  }

  event(text: string): void {
    if (this.events.length < limits.listedCalls)
      this.events.push({ text, atMs: this.#now(), afterCalls: this.calls.length })
  }
}

export const hex = (value: number | bigint) => `0x${value.toString(16)}`
