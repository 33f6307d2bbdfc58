import type { OrderBody } from '../payments/order.ts'
import { records } from '../records/store.ts'
import type { Recurrence } from './times.ts'

export interface ScheduleBody {
  readonly payment: OrderBody
  readonly schedule: Recurrence
  /** Which time comes next. */
  readonly next: number
  /** Changes with the schedule: a timer of the one before is then out of date. */
  readonly version: number
}

export const scheduleRecords = records<ScheduleBody>('SchedulePayment', { ACTIVE: ['FINISHED', 'CANCELLED'] })

export interface InstanceBody {
  readonly at: string
  readonly error: string | null
  readonly payment: string | null
}

export const instanceRecords = records<InstanceBody>('ScheduleInstance', {
  FAILED_USER_ERROR: ['FINISHED_SUCCESSFULLY'],
})
