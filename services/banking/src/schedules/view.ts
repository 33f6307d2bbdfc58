import type { Record as Kept } from '../records/store.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import type { InstanceBody } from './store.ts'
import type { Recurrence } from './times.ts'

export const stamps = ({ id, createdAt, updatedAt }: Kept<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})

export const toInstance = (kept: Kept<InstanceBody>) => ({
  ...stamps(kept),
  state: kept.status,
  time_start: kept.body.at,
  time_end: kept.body.at,
  error_message: kept.body.error === null ? [] : [kept.body.error],
  payment_id: kept.body.payment === null ? null : Number(kept.body.payment),
})

const inFull = (moment: string) => momentOf(readMoment(moment) as Date)

export const toRecurrence = ({ time_start, time_end, recurrence_unit, recurrence_size = 1 }: Recurrence) => ({
  time_start: inFull(time_start),
  time_end: typeof time_end === 'string' ? inFull(time_end) : null,
  recurrence_unit,
  recurrence_size,
})
