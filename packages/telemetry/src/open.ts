import type { OpenTelemetry } from '@icosa/kernel'
import { createMetrics } from './metrics.ts'
import { type Collector, openExporter } from './traces/exporter.ts'
import { createTraces } from './traces/traces.ts'

export interface TelemetryOptions {
  /** Who gets the traces. Without one they are passed on, and nothing is recorded. */
  readonly collector?: Collector | undefined
  /** Which part of the traces that begin here is recorded, from 0 to 1. */
  readonly sampled?: number | undefined
}

export function openTelemetry({ collector, sampled = 1 }: TelemetryOptions = {}): OpenTelemetry {
  return (log) => {
    const metrics = createMetrics()
    const exporter = collector && openExporter(collector, log)
    metrics.counter(
      'icosa_spans_sent_total',
      'Spans that the collector of traces has taken.',
      () => exporter?.sent() ?? 0,
    )
    metrics.counter('icosa_spans_lost_total', 'Spans that no collector took.', () => exporter?.lost() ?? 0)
    const traces = createTraces({ sampled: exporter ? sampled : 0, record: exporter?.add })
    return { metrics, traces, close: async () => exporter?.close() }
  }
}
