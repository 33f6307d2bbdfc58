import type { OnStop, Platform, Service } from '@icosa/kernel'
import { type Audit, openAudit } from './audit/audit.ts'
import { describeService, type ServiceDescription } from './catalogue/describe.ts'
import { type Limits, openLimits } from './limits/limits.ts'
import { openFigures } from './metrics/figures.ts'
import { type Feed, openFeed } from './requests/feed.ts'

export interface ServiceRuntime extends Pick<Platform, 'blobs' | 'clockProblem' | 'database' | 'node'> {
  readonly audit: Audit
  readonly limits: Limits
  readonly feed: Feed
  /** Describes a service once: it takes milliseconds. */
  describe(service: Service): ServiceDescription
}

export interface PlatformOptions {
  /** Whether clock and state can be changed, and recent requests are recorded. */
  readonly isDevelopment: boolean
}

export async function start(
  platform: Platform,
  onStop: OnStop,
  { isDevelopment }: PlatformOptions,
): Promise<ServiceRuntime> {
  const audit = openAudit(platform, onStop)
  openFigures(platform, onStop, audit)
  const { blobs, clockProblem, database, node } = platform
  const descriptions = new Map<Service, ServiceDescription>()
  function describe(service: Service): ServiceDescription {
    const description = descriptions.get(service) ?? describeService(service)
    descriptions.set(service, description)
    return description
  }
  const feed = openFeed(platform, isDevelopment, onStop)
  return { blobs, clockProblem, database, node, describe, feed, audit, limits: await openLimits(platform, onStop) }
}
