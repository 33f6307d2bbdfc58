import { extensions, named, Type } from '@icosa/contract'
import { get, IdAnswer, many, one, pageQuery, post, put, requestHeaders } from '../dialect/contract.ts'
import { stamps } from '../shapes/contract.ts'
import { Payment, PaymentOrder } from './shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}'

const PaymentBatch = named('PaymentBatch', {
  ...stamps,
  payments: named('PaymentBatchPayments', { Payment: Type.Array(Payment) }),
})

export const payments = extensions({
  createPayment: post(`${at}/payment`, {
    summary: 'Make a payment. With a request id, it is made once, however often the request is sent.',
    headers: requestHeaders,
    body: PaymentOrder,
    replies: { 200: IdAnswer },
  }),
  listPayments: get(`${at}/payment`, {
    summary: 'List payments from and to an account, newest first.',
    query: pageQuery,
    replies: { 200: many('Payment', Payment) },
  }),
  getPayment: get(`${at}/payment/{itemId}`, {
    summary: 'Read a payment.',
    replies: { 200: one('Payment', Payment) },
  }),
  createPaymentBatch: post(`${at}/payment-batch`, {
    summary: 'Make several payments, all of them or none.',
    headers: requestHeaders,
    body: named('NewPaymentBatch', { payments: Type.Array(PaymentOrder, { minItems: 1, maxItems: 350 }) }),
    replies: { 200: IdAnswer },
  }),
  listPaymentBatches: get(`${at}/payment-batch`, {
    summary: 'List batches of payments.',
    query: pageQuery,
    replies: { 200: many('PaymentBatch', PaymentBatch) },
  }),
  getPaymentBatch: get(`${at}/payment-batch/{itemId}`, {
    summary: 'Read a batch of payments.',
    replies: { 200: one('PaymentBatch', PaymentBatch) },
  }),
  updatePaymentBatch: put(`${at}/payment-batch/{itemId}`, {
    summary: 'Returns the id of a batch, which cannot be changed.',
    replies: { 200: IdAnswer },
  }),
})
