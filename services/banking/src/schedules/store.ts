import { type ReadingDb, sql } from '@icosa/kernel'
import type { PageQuery } from '../dialect/reply.ts'
import { page } from '../documents/page-store.ts'
import { documentStore, type Place, type Stored } from '../documents/store.ts'
import type { OrderBody } from '../payments/order.ts'
import type { Recurrence } from './times.ts'

export interface ScheduleBody {
  /** Undefined in a batch. */
  readonly payment?: OrderBody
  /** Those of a batch, all of them made or none. */
  readonly payments?: readonly OrderBody[]
  readonly schedule: Recurrence
  /** Index of the next occurrence. */
  readonly next: number
  /** Incremented with each change of the schedule, so that earlier timers are ignored. */
  readonly version: number
}

const transitions = { ACTIVE: ['FINISHED', 'CANCELLED'] }

/** By kind: schedules of one payment, and of a batch. */
export const scheduleStores = {
  SchedulePayment: documentStore<ScheduleBody>('SchedulePayment', transitions),
  SchedulePaymentBatch: documentStore<ScheduleBody>('SchedulePaymentBatch', transitions),
} as const
export type ScheduleKind = keyof typeof scheduleStores
export const scheduleStore = scheduleStores.SchedulePayment

const columns = sql`id, user_id as user, account_id as account, parent_id as parent, status, body,
  created_at as "createdAt", updated_at as "updatedAt"`

/** Schedules of some kinds, of an account or of all accounts of a user. */
export const listSchedules = (
  db: ReadingDb,
  tenant: string,
  { user, account }: Place,
  kinds: readonly ScheduleKind[],
  query: PageQuery,
): Promise<Stored<ScheduleBody>[]> =>
  db.many(sql`
    select ${columns} from banking.records
    where tenant = ${tenant} and kind = any(${kinds}) and user_id = ${user}
      and (${account ?? null}::bigint is null or account_id = ${account ?? null}) ${page(sql`records.id`, query)}`)

export interface InstanceBody {
  readonly at: string
  readonly error: string | null
  readonly payment: string | null
  readonly batch?: string
}

export const instanceStore = documentStore<InstanceBody>('ScheduleInstance', {
  FAILED_USER_ERROR: ['FINISHED_SUCCESSFULLY'],
})
