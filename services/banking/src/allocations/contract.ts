import { extensions, named, oneOf, Type } from '@icosa/contract'
import { constructorsWith, IdAnswer, many, NothingAnswer, one, pageQuery } from '../dialect/contract.ts'
import { Payment } from '../payments/shapes/contract.ts'
import { Amount, AmountShown, Pointer, PointerShown, stamps } from '../shapes/contract.ts'

const { get, post, put, delete: remove } = constructorsWith({ 'payment-auto-allocateID': 'allocation rule' })
const at = '/user/{userID}/monetary-account/{monetary-accountID}/payment-auto-allocate'
const below = `${at}/{payment-auto-allocateID}` as const
const text = Type.String()
const orNull = Type.Nullable

const NewDefinition = named('NewPaymentAutoAllocateDefinition', {
  type: oneOf('AMOUNT', 'FRACTION'),
  amount: Type.Optional(Amount),
  /** In percent of the received amount. */
  fraction: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  counterparty_alias: Pointer,
  description: Type.Optional(Type.String({ maxLength: 140 })),
})
const NewRule = named('NewPaymentAutoAllocate', {
  payment_id: Type.Integer({ minimum: 1, maximum: 10 ** 15 }),
  type: oneOf('ONCE', 'RECURRING'),
  definition: Type.Array(NewDefinition, { minItems: 1, maxItems: 20 }),
})
const Rule = named('PaymentAutoAllocate', {
  ...stamps,
  type: text,
  status: text,
  trigger_amount: AmountShown,
  payment: Payment,
})
const Definition = named('PaymentAutoAllocateDefinition', {
  ...stamps,
  type: text,
  amount: orNull(AmountShown),
  fraction: orNull(Type.Integer()),
  counterparty_alias: PointerShown,
  description: text,
})
const Instance = named('PaymentAutoAllocateInstance', {
  ...stamps,
  status: text,
  payment_auto_allocate_id: Type.Integer(),
  payment_id: Type.Integer(),
  /** Null if it failed. */
  payment_batch_id: orNull(Type.Integer()),
  error_message: Type.Array(named('AllocationError', { error_description: text, error_description_translated: text })),
})

export const allocations = extensions({
  createAllocation: post(at, {
    summary: 'Allocate a received payment to other accounts; with type RECURRING, also each later one like it.',
    body: NewRule,
    replies: { 200: IdAnswer },
  }),
  listAllocations: get(at, {
    summary: 'List the allocation rules of an account.',
    query: pageQuery,
    replies: { 200: many('PaymentAutoAllocate', Rule) },
  }),
  listUserAllocations: get('/user/{userID}/payment-auto-allocate', {
    summary: 'List the allocation rules of all accounts of a user.',
    query: pageQuery,
    replies: { 200: many('PaymentAutoAllocate', Rule) },
  }),
  getAllocation: get(`${at}/{itemId}`, {
    summary: 'Read an allocation rule.',
    replies: { 200: one('PaymentAutoAllocate', Rule) },
  }),
  updateAllocation: put(`${at}/{itemId}`, {
    summary: 'Replace an allocation rule.',
    body: NewRule,
    replies: { 200: IdAnswer },
  }),
  deleteAllocation: remove(`${at}/{itemId}`, { summary: 'End an allocation rule.', replies: { 200: NothingAnswer } }),
  listDefinitions: get(`${below}/definition`, {
    summary: 'List how a rule allocates a payment.',
    replies: { 200: many('PaymentAutoAllocateDefinition', Definition) },
  }),
  listAllocationInstances: get(`${below}/instance`, {
    summary: 'List the payments that a rule has allocated.',
    query: pageQuery,
    replies: { 200: many('PaymentAutoAllocateInstance', Instance) },
  }),
  getAllocationInstance: get(`${below}/instance/{itemId}`, {
    summary: 'Read how a payment was allocated.',
    replies: { 200: one('PaymentAutoAllocateInstance', Instance) },
  }),
})
