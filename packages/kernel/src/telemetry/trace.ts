import { SpanStatusCode, trace } from '@opentelemetry/api'

/** Runs `work` inside a span that is named by an operation or a job. */
export type Tracer = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Spans cost nothing unless an OpenTelemetry SDK was loaded before us: `node --import ./telemetry.js ...`. */
export function createTracer(): Tracer {
  const probe = trace.getTracer('icosa').startSpan('icosa start')
  const recorded = probe.isRecording()
  probe.end()
  return recorded ? traced : (_, work) => work()
}

const traced: Tracer = (name, work) =>
  trace.getTracer('icosa').startActiveSpan(name, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.recordException(error as Error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message })
      throw error
    } finally {
      span.end()
    }
  })
