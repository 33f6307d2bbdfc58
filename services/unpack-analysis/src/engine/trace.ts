import { limits } from './limits.ts'

/** A system or library call of the sample. */
export interface TracedCall {
  readonly name: string
  readonly arguments: readonly string[]
  readonly result: string
  /** The calling layer; 0 is the packed file. */
  readonly layer: number
  readonly atMs: number
}

/** Calls and events in order. */
export class Trace {
  readonly calls: TracedCall[] = []
  readonly events: { readonly text: string; readonly atMs: number; readonly afterCalls: number }[] = []
  readonly #startedAt = performance.now()
  count = 0

  #now(): number {
    return Math.round(performance.now() - this.#startedAt)
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
