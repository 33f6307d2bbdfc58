import { named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, pageQuery, post } from '../dialect/contract.ts'

const text = Type.String()
const short = Type.Optional(Type.String({ maxLength: 100 }))

const Category = named('AdditionalTransactionInformationCategory', {
  category: text,
  type: text,
  status: text,
  order: Type.Integer(),
  description: text,
  description_translated: text,
  color: Type.Nullable(text),
  icon: Type.Nullable(text),
})

const Subscription = named('BillingContractSubscription', {
  id: Type.Integer(),
  created: text,
  updated: text,
  contract_date_start: text,
  contract_date_end: Type.Nullable(text),
  contract_version: Type.Integer(),
  subscription_type: text,
  status: text,
  sub_status: text,
})

export const categories = {
  listCategories: get('/user/{userID}/additional-transaction-information-category', {
    summary: "List payment categories: the bank's, and the user's own.",
    query: pageQuery,
    replies: { 200: many('AdditionalTransactionInformationCategory', Category) },
  }),
  createCategory: post('/user/{userID}/additional-transaction-information-category-user-defined', {
    summary: 'Create a category, or update the existing one with this name.',
    body: named('NewCategory', {
      status: oneOf('ACTIVE', 'DELETED'),
      category: short,
      description: short,
      color: short,
      icon: short,
    }),
    replies: { 200: IdAnswer },
  }),
  listSubscriptions: get('/user/{userID}/billing-contract-subscription', {
    summary: "List the user's contracts with the bank.",
    query: pageQuery,
    replies: { 200: many('BillingContractSubscription', Subscription) },
  }),
}
