import type { OnStop, Platform } from '@icosa/kernel'
import { type Audit, openAudit } from './audit/audit.ts'
import { type Limits, openLimits } from './limits/limits.ts'
import { openFigures } from './metrics/figures.ts'

export interface ServiceRuntime extends Pick<Platform, 'blobs' | 'database'> {
  readonly audit: Audit
  readonly limits: Limits
}

export async function start(platform: Platform, onStop: OnStop): Promise<ServiceRuntime> {
  const audit = openAudit(platform, onStop)
  openFigures(platform, onStop, audit)
  const { blobs, database } = platform
  return { blobs, database, audit, limits: await openLimits(platform, onStop) }
}
