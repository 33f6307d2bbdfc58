export { createLog, type LogOptions } from './log.ts'
export { bucketsSeconds, createMetrics } from './metrics.ts'
export { openTelemetry, type TelemetryOptions } from './open.ts'
