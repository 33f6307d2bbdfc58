import type { OnStop, Platform } from '@icosa/kernel'
import { type Audit, openAudit } from './audit/audit.ts'
import { type Limits, openLimits } from './limits/limits.ts'
import { openFigures } from './metrics/figures.ts'

export interface ServiceRuntime extends Pick<Platform, 'blobs' | 'clockProblem' | 'database' | 'node'> {
  readonly audit: Audit
  readonly limits: Limits
}

export async function start(platform: Platform, onStop: OnStop): Promise<ServiceRuntime> {
  const audit = openAudit(platform, onStop)
  openFigures(platform, onStop, audit)
  const { blobs, clockProblem, database, node } = platform
  return { blobs, clockProblem, database, node, audit, limits: await openLimits(platform, onStop) }
}
