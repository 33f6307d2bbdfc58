import type { Log } from './log.ts'

/** What a node tells of itself. How it is counted, kept and sent is an adapter outside the kernel. */
export interface Telemetry {
  readonly metrics: Metrics
  readonly traces: Traces
  close(): Promise<void>
}

export type OpenTelemetry = (log: Log) => Telemetry

/** Counters and durations. */
export interface Metrics {
  /** Made once for every operation, so that a request only adds numbers. */
  operation(service: string, operation: string): OperationMetrics
  job(service: string, job: string, outcome: string, durationMs: number): void
  /** Only ever grows while the process lives; its name says so, as Prometheus wants it. */
  counter(name: `${string}_total`, help: string, read: () => number | readonly Labelled[]): void
  gauge(name: string, help: string, read: () => number | readonly Labelled[]): void
  text(): string
}

/** A figure for each of several, told apart by labels. */
export interface Labelled {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface OperationMetrics {
  add(status: number, durationMs: number): void
}

/** A request, a job or a delivery as a part of a trace, which may have begun elsewhere. */
export interface Trace {
  readonly traceId: string
  readonly spanId: string
  /** Whether somebody wants to know of it: otherwise it is only passed on. */
  readonly isRecorded: boolean
}

/** How a trace goes from one process to the next, in the words of W3C Trace Context: in headers, or in the row of a job. */
export type TraceHeaders = {
  readonly traceparent?: string
  readonly tracestate?: string
  /** Of a job that begins a trace of its own: by what it was enqueued. */
  readonly enqueuedBy?: string
}

/** What is told of a part of a trace when it is over. */
export interface Span {
  readonly name: string
  /** By `performance.now()`. */
  readonly startedAt: number
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly hasFailed: boolean
}

export interface Traces {
  /** A part of the trace that these headers name; the first part of a new one if they name none. */
  begin(kind: 'request' | 'job', headers: Readonly<Record<string, unknown>>): Trace
  /** Everything that `work` does, and whatever comes of it, is a part of this. */
  within<T>(trace: Trace, work: () => T): T
  /** For a job that is enqueued now; `later`: to run at a time of its own. Nothing outside of any trace. */
  carried(later: boolean): TraceHeaders | undefined
  /** A message to somebody else, who is told by these headers of what it is a part. */
  sending<T>(name: string, to: Span['attributes'], work: (headers: Record<string, string>) => Promise<T>): Promise<T>
  /** To be called for what is recorded, when it is over. */
  end(trace: Trace, span: Span): void
}
