import { documentStore } from '../documents/store.ts'
import type { OrderBody } from '../payments/order.ts'
import type { Recurrence } from './times.ts'

export interface ScheduleBody {
  readonly payment: OrderBody
  readonly schedule: Recurrence
  /** Index of the next occurrence. */
  readonly next: number
  /** Incremented with each change of the schedule, so that earlier timers are ignored. */
  readonly version: number
}

export const scheduleStore = documentStore<ScheduleBody>('SchedulePayment', { ACTIVE: ['FINISHED', 'CANCELLED'] })

export interface InstanceBody {
  readonly at: string
  readonly error: string | null
  readonly payment: string | null
}

export const instanceStore = documentStore<InstanceBody>('ScheduleInstance', {
  FAILED_USER_ERROR: ['FINISHED_SUCCESSFULLY'],
})
