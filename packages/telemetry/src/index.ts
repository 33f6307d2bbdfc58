export { createLog, type LogOptions } from './log.ts'
export { createMetrics } from './metrics.ts'
export { openTelemetry, type TelemetryOptions } from './open.ts'
