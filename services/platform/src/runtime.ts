import type { OnStop, Platform, Service } from '@icosa/kernel'
import { type Audit, openAudit } from './audit/audit.ts'
import { describeService, type ServiceDescription } from './catalogue/describe.ts'
import type { Controls } from './development.ts'
import { openRecorder, type Recorder } from './history/recorder.ts'
import { type Limits, openLimits } from './limits/limits.ts'
import { openFigures } from './metrics/figures.ts'
import { announceNode } from './operator/heartbeat.ts'
import { type Feed, openFeed } from './requests/feed.ts'

export interface ServiceRuntime extends Pick<Platform, 'blobs' | 'clockProblem' | 'database' | 'node'> {
  readonly audit: Audit
  readonly limits: Limits
  readonly feed: Feed
  readonly recorder: Recorder
  readonly controls: Controls | undefined
  /** Describes a service once: it takes milliseconds. */
  describe(service: Service): ServiceDescription
}

export interface PlatformOptions {
  /** Whether clock and state can be changed, and recent requests are recorded. */
  readonly isDevelopment: boolean
  /** Whether ended requests, jobs and deliveries are recorded. */
  readonly keepsHistory: boolean
  /** Version of Icosa. */
  readonly version?: string
  /** Only `icosa dev` has them. */
  readonly controls?: Controls | undefined
}

export async function start(
  platform: Platform,
  onStop: OnStop,
  { isDevelopment, keepsHistory, controls, version = '' }: PlatformOptions,
): Promise<ServiceRuntime> {
  await announceNode(platform, version, onStop)
  const audit = openAudit(platform, onStop)
  openFigures(platform, onStop, audit)
  const { blobs, clockProblem, database, node } = platform
  const descriptions = new Map<Service, ServiceDescription>()
  function describe(service: Service): ServiceDescription {
    const description = descriptions.get(service) ?? describeService(service)
    descriptions.set(service, description)
    return description
  }
  const recorder = openRecorder(platform, { isRecording: keepsHistory, isDevelopment }, onStop)
  platform.metrics.counter('icosa_history_lost_total', 'Spans that this node could not record.', recorder.lost)
  const feed = openFeed(platform, isDevelopment, onStop)
  const limits = await openLimits(platform, onStop)
  return { blobs, clockProblem, database, node, describe, controls, feed, recorder, audit, limits }
}
