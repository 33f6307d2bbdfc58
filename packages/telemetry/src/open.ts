import type { OpenTelemetry } from '@icosa/kernel'
import { createMetrics } from './metrics.ts'
import { type Collector, openExporter } from './traces/exporter.ts'
import { createTraces } from './traces/traces.ts'

export interface TelemetryOptions {
  /** Receiver of traces. Without one, trace context is propagated, but nothing is recorded. */
  readonly collector?: Collector | undefined
  /** Sampling rate of traces that begin here, from 0 to 1. */
  readonly sampled?: number | undefined
}

export function openTelemetry({ collector, sampled = 1 }: TelemetryOptions = {}): OpenTelemetry {
  return (log) => {
    const metrics = createMetrics()
    const exporter = collector && openExporter(collector, log)
    metrics.counter('icosa_spans_sent_total', 'Spans accepted by the trace collector.', () => exporter?.sent() ?? 0)
    metrics.counter('icosa_spans_lost_total', 'Spans not accepted by any trace collector.', () => exporter?.lost() ?? 0)
    const traces = createTraces({ sampled: exporter ? sampled : 0, record: exporter?.add })
    log.onError(traces.fail)
    return { metrics, traces, close: async () => exporter?.close() }
  }
}
