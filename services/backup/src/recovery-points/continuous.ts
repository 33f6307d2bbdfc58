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

/** As at the original. */
export const maxContinuousDays = 35

/** What says when, in the metadata of a restore, and in those of a recovery point what can be said. */
const timeKeys = ['RestoreTime', 'UseLatestRestorableTime', 'EarliestRestorableTime', 'LatestRestorableTime'] as const

export const withoutTimes = (metadata: RestoreMetadata): RestoreMetadata =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => !(timeKeys as readonly string[]).includes(key)))

/** A life cycle that a continuous recovery point can have. */
export function checkContinuous(lifecycle: Lifecycle = {}, at: string): void {
  const { DeleteAfterDays: days = maxContinuousDays, MoveToColdStorageAfterDays: cold } = lifecycle
  if (days > maxContinuousDays)
    invalid([{ at: `${at}/DeleteAfterDays`, message: `must be at most ${maxContinuousDays} for a continuous backup` }])
  if (cold !== undefined)
    invalid([{ at: `${at}/MoveToColdStorageAfterDays`, message: 'is not possible for a continuous backup' }])
}

/** Refuses rules that no type of resource can follow here, and says what the operator can do about it. */
export function demandContinuous({ backups }: ServiceRuntime): void {
  const all = [...backups.values()].flatMap(({ continuous }) => continuous ?? [])
  const [first] = all
  if (all.some(({ refusal }) => refusal === undefined)) return
  throw new Failure('unavailable', first?.refusal ?? 'No service of this node is backed up continuously.')
}

export function continuousOf({ backups }: ServiceRuntime, type: string): ContinuousBackup {
  const found = backups.get(type)?.continuous
  if (!found) throw new Failure('unavailable', `No service of this node backs up ${type} continuously.`)
  if (found.refusal !== undefined) throw new Failure('unavailable', found.refusal)
  return found
}

type Point = Pick<PointRow, 'tenant' | 'id' | 'continuous' | 'resourceType'>

/** Of which times it can be restored; undefined for one of a single moment. */
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

/** The time that is asked for, if it can be had; the latest if nothing is said. Undefined for a point of a single moment. */
export function timeIn(point: Point, metadata: RestoreMetadata, window: RestoreWindow | undefined): Date | undefined {
  const { RestoreTime: asked, UseLatestRestorableTime: latest } = metadata
  if (!point.continuous) {
    if (asked !== undefined || latest !== undefined)
      refuse('The recovery point is of one moment: only a continuous one is restored to a RestoreTime.')
    return undefined
  }
  if (!window) refuse('Nothing can be restored from the continuous recovery point yet, or any more.')
  if (asked === undefined || latest?.toLowerCase() === 'true') {
    if (asked !== undefined) refuse('Give a RestoreTime or UseLatestRestorableTime, not both.')
    return window.to
  }
  const at = readTime(asked)
  if (at < window.from || at > window.to)
    refuse(`RestoreTime must be from ${window.from.toISOString()} to ${window.to.toISOString()}.`)
  return at
}

/** With a time zone, or as seconds since 1970. */
function readTime(text: string): Date {
  const isSeconds = /^\d{1,12}(\.\d+)?$/.test(text)
  const isWritten = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  const at = new Date(isSeconds ? Number(text) * 1000 : isWritten ? text : Number.NaN)
  if (Number.isNaN(at.getTime()))
    invalid([{ at: 'body/Metadata/RestoreTime', message: 'must be a time such as 2026-05-04T10:31:07Z' }])
  return at
}

function refuse(message: string): never {
  throw new Failure('invalid', message, { code: invalidRequest })
}
