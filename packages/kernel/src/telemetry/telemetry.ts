import type { Log } from './log.ts'

/** Telemetry of a node. Aggregation and export are an adapter outside the kernel. */
export interface Telemetry {
  readonly metrics: Metrics
  readonly traces: Traces
  close(): Promise<void>
}

export type OpenTelemetry = (log: Log) => Telemetry

export interface Metrics {
  /** Created once per operation, so that a request only adds numbers. */
  operation(service: string, operation: string): OperationMetrics
  job(service: string, job: string, outcome: string, durationMs: number): void
  /** Monotonic while the process lives, hence Prometheus's suffix. */
  counter(name: `${string}_total`, help: string, read: () => number | readonly Labelled[]): void
  gauge(name: string, help: string, read: () => number | readonly Labelled[]): void
  text(): string
}

/** A value with labels. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface OperationMetrics {
  add(status: number, durationMs: number): void
}

/** A request, job or delivery as a span of a trace, which may have begun elsewhere. */
export interface Trace {
  readonly traceId: string
  readonly spanId: string
  /** Whether it is sampled: otherwise the context is only propagated. */
  readonly isRecorded: boolean
}

/** W3C Trace Context, propagated in headers or in the row of a job. */
export type TraceHeaders = {
  readonly traceparent?: string
  readonly tracestate?: string
  /** For a job that begins its own trace: the enqueuing span. */
  readonly enqueuedBy?: string
}

/** A finished span. */
export interface Span {
  readonly name: string
  /** By `performance.now()`. */
  readonly startedAt: number
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly hasFailed: boolean
}

/** A span, with the context that its children need. */
export interface Part extends Trace {
  readonly kind: 'request' | 'job' | 'delivery'
  readonly parentId: string | undefined
  readonly isSampled: boolean
  readonly state: string | undefined
  /** The enqueuing trace, if it is another one. */
  readonly enqueuedBy: string | undefined
}

export interface EndedSpan extends Span {
  readonly part: Part
  /** By `performance.now()`. */
  readonly endedAt: number
  /** The last error that was logged within it. */
  readonly error: unknown
}

export interface Traces {
  /** Begins a span of the trace in these headers, or of a new trace. */
  begin(kind: 'request' | 'job', headers: Readonly<Record<string, unknown>>): Trace
  /** Runs `work` and everything it causes in this trace. */
  within<T>(trace: Trace, work: () => T): T
  /** Context for a job enqueued now, or `later` at a set time. Undefined outside of any trace. */
  carried(later: boolean): TraceHeaders | undefined
  /** Sends a message with headers that propagate the trace. */
  sending<T>(name: string, to: Span['attributes'], work: (headers: Record<string, string>) => Promise<T>): Promise<T>
  /** Call at the end of recorded spans. */
  end(trace: Trace, span: Span): void
  /** Calls the observer with every span that ends, sampled or not. */
  observe(observer: (span: EndedSpan) => void): void
}
