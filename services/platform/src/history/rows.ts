import { type Clock, type EndedSpan, Failure } from '@icosa/kernel'
import { withoutSecrets } from '../requests/secrets.ts'
import type { SpanRow } from './store.ts'

const maxTextLength = 1_000
const clockNoiseMs = 5

/** PostgreSQL stores neither U+0000 nor lone surrogates in JSON. */
const storable = (text: string) => text.slice(0, maxTextLength).toWellFormed().replaceAll('\0', '')

const storableAttributes = (attributes: SpanRow['attributes']): SpanRow['attributes'] =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'string' ? storable(value) : value]),
  )

/** Returns a function that converts spans to rows. Internal errors are explained in development mode only. */
export function rowsBy(clock: Clock, isDevelopment: boolean): (span: EndedSpan) => Omit<SpanRow, 'tenant'> {
  let offset = 0
  /** Difference between the platform's clock and `performance.now()`, which alone is exact enough to order spans. */
  function offsetMs(): number {
    const current = clock.now().getTime() - performance.now()
    if (Math.abs(current - offset) > clockNoiseMs) offset = current
    return offset
  }

  function errorOf(error: unknown): string | undefined {
    if (!(error instanceof Error)) return undefined
    const isShown = isDevelopment || error instanceof Failure
    return storable(withoutSecrets(isShown ? error.message : 'Something went wrong on our side.'))
  }

  return ({ part, name, startedAt, endedAt, attributes, hasFailed, error }) => {
    const { traceId, spanId, parentId, kind } = part
    const { 'icosa.tenant': _, 'icosa.request': requestId, ...others } = attributes
    return {
      ...{ traceId, spanId, parentId, kind, name, hasFailed, attributes: storableAttributes(others) },
      enqueuedBy: part.enqueuedBy?.split('-')[1],
      requestId: requestId === undefined ? undefined : String(requestId),
      startedAtMs: startedAt + offsetMs(),
      ms: Math.round((endedAt - startedAt) * 1_000) / 1_000,
      error: errorOf(error),
    }
  }
}
