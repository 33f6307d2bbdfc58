import {
  type ContinuousBackup,
  Failure,
  invalid,
  type ReadingDb,
  type RestoreMetadata,
  type RestoreWindow,
} from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Lifecycle } from '../shapes/contract.ts'
import type { PointRow } from './store.ts'

/** The original's limit. */
export const maxContinuousDays = 35

/** Metadata keys that select the time of a restore, or describe the restorable window of a recovery point. */
const timeKeys = ['RestoreTime', 'UseLatestRestorableTime', 'EarliestRestorableTime', 'LatestRestorableTime'] as const

export const withoutTimes = (metadata: RestoreMetadata): RestoreMetadata =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => !(timeKeys as readonly string[]).includes(key)))

/** Rejects a lifecycle that a continuous recovery point cannot have. */
export function checkContinuous(lifecycle: Lifecycle = {}, at: string): void {
  const { DeleteAfterDays: days = maxContinuousDays, MoveToColdStorageAfterDays: cold } = lifecycle
  if (days > maxContinuousDays)
    invalid([{ at: `${at}/DeleteAfterDays`, message: `must be at most ${maxContinuousDays} for a continuous backup` }])
  if (cold !== undefined)
    invalid([{ at: `${at}/MoveToColdStorageAfterDays`, message: 'is not possible for a continuous backup' }])
}

/** Rejects continuous rules if no resource type supports them here, with the remedy for the operator. */
export function demandContinuous({ backups }: ServiceRuntime): void {
  const ports = [...backups.values()].flatMap((backup) => backup.continuous ?? [])
  const [first] = ports
  if (ports.some(({ refusal }) => refusal === undefined)) return
  throw new Failure('unavailable', first?.refusal ?? 'No service of this node is backed up continuously.')
}

export function continuousOf({ backups }: ServiceRuntime, type: string): ContinuousBackup {
  const port = backups.get(type)?.continuous
  if (!port) throw new Failure('unavailable', `No service of this node backs up ${type} continuously.`)
  if (port.refusal !== undefined) throw new Failure('unavailable', port.refusal)
  return port
}

type Point = Pick<PointRow, 'tenant' | 'id' | 'continuous' | 'resourceType'>

/** The restorable window of a continuous recovery point; undefined for a snapshot. */
export async function windowOf(
  point: Point,
  runtime: ServiceRuntime,
  db: ReadingDb,
  now: Date,
): Promise<RestoreWindow | undefined> {
  if (!point.continuous) return undefined
  return runtime.backups.get(point.resourceType)?.continuous?.window(db, point.tenant, point.id, now)
}

export const toTimes = (window: RestoreWindow | undefined): RestoreMetadata =>
  window ? { EarliestRestorableTime: window.from.toISOString(), LatestRestorableTime: window.to.toISOString() } : {}

/** Returns the requested time if it is in the window, by default the latest; undefined for a snapshot. */
export function timeIn(point: Point, metadata: RestoreMetadata, window: RestoreWindow | undefined): Date | undefined {
  const { RestoreTime: requested, UseLatestRestorableTime: latest } = metadata
  if (!point.continuous) {
    if (requested !== undefined || latest !== undefined)
      refuse('The recovery point is a snapshot: only a continuous one can be restored to a RestoreTime.')
    return undefined
  }
  if (!window) refuse('The continuous recovery point has no restorable time yet, or no longer has one.')
  if (requested === undefined || latest?.toLowerCase() === 'true') {
    if (requested !== undefined) refuse('Give a RestoreTime or UseLatestRestorableTime, not both.')
    return window.to
  }
  const at = readTime(requested)
  if (at < window.from || at > window.to)
    refuse(`RestoreTime must be from ${window.from.toISOString()} to ${window.to.toISOString()}.`)
  return at
}

/** Parses an ISO time with a time zone, or seconds since 1970. */
function readTime(text: string): Date {
  const isSeconds = /^\d{1,12}(\.\d+)?$/.test(text)
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  const at = new Date(isSeconds ? Number(text) * 1000 : isIso ? text : Number.NaN)
  if (Number.isNaN(at.getTime()))
    invalid([{ at: 'body/Metadata/RestoreTime', message: 'must be a time such as 2026-05-04T10:31:07Z' }])
  return at
}

function refuse(message: string): never {
  throw new Failure('invalid', message, { code: invalidRequest })
}
