import { download, extensions, named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, NothingAnswer, one, pageQuery, post, read, remove } from '../dialect/contract.ts'
import { LabelMonetaryAccount, stamps } from '../shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}/customer-statement'
const date = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

const fields = {
  statement_format: oneOf('CSV', 'MT940', 'PDF'),
  date_start: date,
  date_end: date,
}
const Statement = named('CustomerStatement', {
  ...stamps,
  ...fields,
  regional_format: Type.String(),
  statement_number: Type.Integer(),
  status: Type.String(),
  alias_monetary_account: LabelMonetaryAccount,
})

export const statements = extensions({
  createStatement: post(at, {
    summary: 'Order a statement of an account for a range of days, both ends included.',
    body: named('NewCustomerStatement', {
      ...fields,
      regional_format: Type.Optional(oneOf('UK_US', 'EUROPEAN')),
    }),
    replies: { 200: IdAnswer },
  }),
  listStatements: get(at, {
    summary: 'List the statements of an account.',
    query: pageQuery,
    replies: { 200: many('CustomerStatement', Statement) },
  }),
  getStatement: read(`${at}/{itemId}`, 'Read the details of a statement.', one('CustomerStatement', Statement)),
  deleteStatement: remove(`${at}/{itemId}`, {
    summary: 'Delete a statement.',
    replies: { 200: NothingAnswer },
  }),
  getStatementContent: get(`${at}/{customer-statementID}/content`, {
    summary: 'Download a statement.',
    replies: { 200: download({ types: ['text/csv', 'text/plain', 'application/pdf'] }) },
  }),
})
