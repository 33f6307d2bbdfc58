import { extensions, named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, list, many, NothingAnswer, one, pageQuery, post, put, remove } from '../dialect/contract.ts'
import { PaymentOrder } from '../payments/shapes/contract.ts'
import { Moment, stamps } from '../shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}'
const text = Type.String()
const orNull = Type.Nullable

export const units = ['ONCE', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

export const NewSchedule = named('NewSchedule', {
  time_start: Moment,
  time_end: Type.Optional(orNull(Moment)),
  recurrence_unit: Type.Enum(units),
  recurrence_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
})
export const Recurrence = named('Recurrence', {
  time_start: Moment,
  time_end: orNull(Moment),
  recurrence_unit: text,
  recurrence_size: Type.Integer(),
})
const ScheduleShown = named('Schedule', { ...stamps, ...Recurrence.properties, status: text })
const SchedulePayment = named('SchedulePayment', {
  ...stamps,
  monetary_account_id: Type.Integer(),
  payment: PaymentOrder,
  schedule: ScheduleShown,
  status: text,
})
const SchedulePaymentBatch = named('SchedulePaymentBatch', {
  ...stamps,
  monetary_account_id: Type.Integer(),
  payments: Type.Array(PaymentOrder),
  schedule: ScheduleShown,
  status: text,
})
const orders = Type.Array(PaymentOrder, { minItems: 1, maxItems: 350 })
const Instance = named('ScheduleInstance', {
  ...stamps,
  state: text,
  time_start: Moment,
  time_end: Moment,
  error_message: Type.Array(Type.String()),
  /** Null if it failed, and in a batch. */
  payment_id: orNull(Type.Integer()),
  payment_batch_id: orNull(Type.Integer()),
})

export const schedules = extensions({
  createSchedulePayment: post(`${at}/schedule-payment`, {
    summary: 'Schedule a payment, once or recurring.',
    body: named('NewSchedulePayment', { payment: PaymentOrder, schedule: NewSchedule }),
    replies: { 200: IdAnswer },
  }),
  listSchedulePayments: get(`${at}/schedule-payment`, {
    summary: 'List scheduled payments.',
    query: pageQuery,
    replies: { 200: many('ScheduledPayment', SchedulePayment) },
  }),
  getSchedulePayment: get(`${at}/schedule-payment/{itemId}`, {
    summary: 'Read a scheduled payment.',
    replies: { 200: one('ScheduledPayment', SchedulePayment) },
  }),
  updateSchedulePayment: put(`${at}/schedule-payment/{itemId}`, {
    summary: 'Change a scheduled payment.',
    body: named('SchedulePaymentChanges', {
      payment: Type.Optional(PaymentOrder),
      schedule: Type.Optional(NewSchedule),
    }),
    replies: { 200: IdAnswer },
  }),
  deleteSchedulePayment: remove(`${at}/schedule-payment/{itemId}`, {
    summary: 'Cancel a scheduled payment.',
    replies: { 200: NothingAnswer },
  }),
  createScheduleBatch: post(`${at}/schedule-payment-batch`, {
    summary: 'Schedule a batch of payments, all of which are made or none.',
    body: named('NewSchedulePaymentBatch', { payments: orders, schedule: NewSchedule }),
    replies: { 200: IdAnswer },
  }),
  getScheduleBatch: get(`${at}/schedule-payment-batch/{itemId}`, {
    summary: 'Read a scheduled batch.',
    replies: { 200: one('ScheduledPaymentBatch', SchedulePaymentBatch) },
  }),
  updateScheduleBatch: put(`${at}/schedule-payment-batch/{itemId}`, {
    summary: 'Change a scheduled batch.',
    body: named('SchedulePaymentBatchChanges', {
      payments: Type.Optional(orders),
      schedule: Type.Optional(NewSchedule),
    }),
    replies: { 200: IdAnswer },
  }),
  deleteScheduleBatch: remove(`${at}/schedule-payment-batch/{itemId}`, {
    summary: 'Cancel a scheduled batch.',
    replies: { 200: NothingAnswer },
  }),
  listUserSchedules: get('/user/{userID}/schedule', {
    summary: 'List the schedules of all accounts of a user.',
    query: Type.Object({ ...pageQuery.properties, type: Type.Optional(Type.String({ maxLength: 200 })) }),
    replies: { 200: many('Schedule', ScheduleShown) },
  }),
  listSchedules: list(`${at}/schedule`, 'List the schedules of an account.', many('Schedule', ScheduleShown)),
  getSchedule: get(`${at}/schedule/{itemId}`, {
    summary: 'Read a schedule: it has the id of its scheduled payment.',
    replies: { 200: one('Schedule', ScheduleShown) },
  }),
  listScheduleInstances: get(`${at}/schedule/{scheduleID}/schedule-instance`, {
    summary: 'List the runs of a schedule.',
    query: pageQuery,
    replies: { 200: many('ScheduleInstance', Instance) },
  }),
  getScheduleInstance: get(`${at}/schedule/{scheduleID}/schedule-instance/{itemId}`, {
    summary: 'Read a run of a schedule.',
    replies: { 200: one('ScheduleInstance', Instance) },
  }),
  updateScheduleInstance: put(`${at}/schedule/{scheduleID}/schedule-instance/{itemId}`, {
    summary: 'Retry a failed run.',
    body: named('ScheduleInstanceChanges', { state: oneOf('RETRY') }),
    replies: { 200: IdAnswer },
  }),
})
