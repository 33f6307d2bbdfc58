import type { Stored } from '../documents/store.ts'
import { momentOf, readMoment } from '../shapes/moments.ts'
import type { InstanceBody } from './store.ts'
import type { Recurrence } from './times.ts'

export const stamps = ({ id, createdAt, updatedAt }: Stored<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})

export const toInstance = (instance: Stored<InstanceBody>) => {
  const { at, error, payment, batch } = instance.body
  return {
    ...stamps(instance),
    state: instance.status,
    time_start: at,
    time_end: at,
    error_message: error === null ? [] : [error],
    payment_id: payment === null ? null : Number(payment),
    payment_batch_id: batch === undefined ? null : Number(batch),
  }
}

const inFull = (moment: string) => momentOf(readMoment(moment) as Date)

export const toRecurrence = ({ time_start, time_end, recurrence_unit, recurrence_size = 1 }: Recurrence) => ({
  time_start: inFull(time_start),
  time_end: typeof time_end === 'string' ? inFull(time_end) : null,
  recurrence_unit,
  recurrence_size,
})
