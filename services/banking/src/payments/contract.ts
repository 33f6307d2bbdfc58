import { extensions, named, Type } from '@icosa/contract'
import { IdAnswer, list, many, one, post, put, read, requestHeaders } from '../dialect/contract.ts'
import { stamps } from '../shapes/contract.ts'
import { Payment, PaymentOrder } from './shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}'

const PaymentBatch = named('PaymentBatch', {
  ...stamps,
  payments: named('PaymentBatchPayments', { Payment: Type.Array(Payment) }),
})

export const payments = extensions({
  createPayment: post(`${at}/payment`, {
    summary: 'Make a payment. A request id makes retries idempotent.',
    headers: requestHeaders,
    body: PaymentOrder,
    replies: { 200: IdAnswer },
  }),
  listPayments: list(`${at}/payment`, 'List payments from and to an account, newest first.', many('Payment', Payment)),
  getPayment: read(`${at}/payment/{itemId}`, 'Read a payment.', one('Payment', Payment)),
  createPaymentBatch: post(`${at}/payment-batch`, {
    summary: 'Make several payments, all of them or none.',
    headers: requestHeaders,
    body: named('NewPaymentBatch', { payments: Type.Array(PaymentOrder, { minItems: 1, maxItems: 350 }) }),
    replies: { 200: IdAnswer },
  }),
  listPaymentBatches: list(`${at}/payment-batch`, 'List batches of payments.', many('PaymentBatch', PaymentBatch)),
  getPaymentBatch: read(`${at}/payment-batch/{itemId}`, 'Read a batch of payments.', one('PaymentBatch', PaymentBatch)),
  updatePaymentBatch: put(`${at}/payment-batch/{itemId}`, {
    summary: 'Return the id of a batch, which cannot be changed.',
    replies: { 200: IdAnswer },
  }),
})
