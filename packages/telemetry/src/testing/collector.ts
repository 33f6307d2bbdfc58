import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A received span, with its resource. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly links?: readonly { readonly traceId: string }[]
  readonly status?: { readonly code: number }
  readonly attributes: readonly Attribute[]
  readonly resource: Readonly<Record<string, unknown>>
}

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

export interface TestCollector extends AsyncDisposable {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Of each request. */
  readonly headers: Readonly<Record<string, unknown>>[]
  /** Status of its responses from now on. */
  answer(status: number): void
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'resource'>[] }[]
  }[]
}

/** A trace collector, compatible with OpenTelemetry's: `POST /v1/traces`. */
export async function startCollector(): Promise<TestCollector> {
  const spans: ReceivedSpan[] = []
  const headers: TestCollector['headers'] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const traces = (await json(request)) as Export
    headers.push(request.headers)
    if (request.url !== '/v1/traces' || request.method !== 'POST') status = 404
    if (status === 200)
      for (const { resource, scopeSpans } of traces.resourceSpans)
        for (const { spans: received } of scopeSpans)
          spans.push(...received.map((span) => ({ ...span, resource: valuesOf(resource.attributes) })))
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // never null for a listening server
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    answer: (next) => {
      status = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
