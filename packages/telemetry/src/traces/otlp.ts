import type { EndedSpan, Part } from '@icosa/kernel'

/** OTLP's numbers: SERVER, CONSUMER, CLIENT. */
const kinds: Readonly<Record<Part['kind'], number>> = { request: 2, job: 5, delivery: 3 }
const failed = { code: 2 }

/** An ExportTraceServiceRequest in OTLP's JSON encoding. */
export function otlpOf(spans: readonly EndedSpan[], resource: Readonly<Record<string, string>>): string {
  const scopeSpans = [{ scope: { name: 'icosa' }, spans: spans.map(spanOf) }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] })
}

function spanOf({ part, name, startedAt, endedAt, attributes, hasFailed }: EndedSpan) {
  const [, traceId, spanId] = part.enqueuedBy?.split('-') ?? []
  return {
    traceId: part.traceId,
    spanId: part.spanId,
    ...(part.parentId !== undefined && { parentSpanId: part.parentId }),
    ...(part.state !== undefined && { traceState: part.state }),
    name,
    kind: kinds[part.kind],
    startTimeUnixNano: nanosecondsOf(startedAt),
    endTimeUnixNano: nanosecondsOf(endedAt),
    attributes: attributesOf(attributes),
    ...(traceId !== undefined && { links: [{ traceId, spanId }] }),
    ...(hasFailed && { status: failed }),
  }
}

function attributesOf(attributes: EndedSpan['attributes']) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: typeof value === 'number' ? { intValue: value } : { stringValue: value } },
  )
}

/** Real time, even if the platform's clock is moved: collectors combine spans of several programs. */
const nanosecondsOf = (at: number) => String(BigInt(Math.round((performance.timeOrigin + at) * 1_000)) * 1_000n)
