import { AsyncLocalStorage } from 'node:async_hooks'
import type { EndedSpan, Part, Span, Trace, Traces } from '@icosa/kernel'
import { parentIn, parentText, randomId, stateIn } from './parent.ts'

export interface TracesOptions {
  /** Sampling rate of traces that begin here. For others, the sender decides. */
  readonly sampled: number
  readonly record?: ((span: EndedSpan) => void) | undefined
}

export interface OwnTraces extends Traces {
  /** Adds an error to the span in which it is called. */
  fail(error: unknown): void
}

export function createTraces({ sampled, record }: TracesOptions): OwnTraces {
  const current = new AsyncLocalStorage<Part>()
  const observers: ((span: EndedSpan) => void)[] = []
  const errors = new WeakMap<Trace, unknown>()

  function begin(kind: Part['kind'], headers: Parameters<Traces['begin']>[1]): Part {
    const parent = parentIn(headers.traceparent)
    const traceId = parent?.traceId ?? randomId(32)
    const isSampled = parent?.isSampled ?? isInSample(traceId, sampled)
    return {
      kind,
      traceId,
      spanId: randomId(16),
      parentId: parent?.spanId,
      isSampled,
      isRecorded: observers.length > 0 || (isSampled && record !== undefined),
      state: parent && stateIn(headers.tracestate),
      enqueuedBy: typeof headers.enqueuedBy === 'string' ? headers.enqueuedBy : undefined,
    }
  }

  const headersOf = (part: Part) => ({
    traceparent: parentText(part),
    ...(part.state !== undefined && { tracestate: part.state }),
  })

  function end(part: Trace, span: Span): void {
    const ended: EndedSpan = { ...span, part: part as Part, endedAt: performance.now(), error: errors.get(part) }
    if (ended.part.isSampled) record?.(ended)
    for (const observe of observers) observe(ended)
  }

  return {
    begin,
    within: (trace, work) => current.run(trace as Part, work),
    carried(later) {
      const part = current.getStore()
      if (!part) return undefined
      // Jobs that reschedule themselves do so for years: their common trace would never end.
      return later && part.kind === 'job' ? { enqueuedBy: parentText(part) } : headersOf(part)
    },
    async sending(name, attributes, work) {
      const parent = current.getStore()
      if (!parent) return work({})
      const part = begin('delivery', headersOf(parent))
      const startedAt = performance.now()
      const finish = (hasFailed: boolean) => {
        if (part.isRecorded) end(part, { name, startedAt, attributes, hasFailed })
      }
      try {
        const result = await work(headersOf(part))
        finish(false)
        return result
      } catch (error) {
        finish(true)
        throw error
      }
    },
    end,
    observe: (observer) => void observers.push(observer),
    fail(error) {
      const part = current.getStore()
      if (part?.isRecorded) errors.set(part, error)
    },
  }
}

/** By trace ID, so that all nodes decide alike. */
const isInSample = (traceId: string, share: number) =>
  share >= 1 || (share > 0 && Number.parseInt(traceId.slice(-8), 16) < share * 2 ** 32)
