import { download, extensions, named, Type } from '@icosa/contract'
import { get, many, one, pageQuery, read } from '../dialect/contract.ts'
import { AddressShown, AmountShown, LabelMonetaryAccount, stamps } from '../shapes/contract.ts'

const ofUser = '/user/{userID}/invoice'
const ofAccount = '/user/{userID}/monetary-account/{monetary-accountID}/invoice'
const text = Type.String()
const orNull = Type.Nullable

const described = { type_description: text, type_description_translated: text }

const Item = named('InvoiceItem', {
  id: Type.Integer(),
  billing_date: text,
  ...described,
  unit_vat_exclusive: AmountShown,
  unit_vat_inclusive: AmountShown,
  vat: Type.Integer(),
  quantity: Type.Integer(),
  total_vat_exclusive: AmountShown,
  total_vat_inclusive: AmountShown,
})
const ItemGroup = named('InvoiceItemGroup', {
  type: text,
  ...described,
  instance_description: text,
  product_vat_exclusive: AmountShown,
  product_vat_inclusive: AmountShown,
  item: Type.Array(Item),
})
const Invoice = named('Invoice', {
  ...stamps,
  invoice_date: text,
  invoice_number: text,
  status: text,
  category: text,
  group: Type.Array(ItemGroup),
  total_vat_inclusive: AmountShown,
  total_vat_exclusive: AmountShown,
  total_vat: AmountShown,
  alias: LabelMonetaryAccount,
  address: orNull(AddressShown),
  counterparty_alias: LabelMonetaryAccount,
  counterparty_address: orNull(AddressShown),
  chamber_of_commerce_number: orNull(text),
  vat_number: orNull(text),
  request_reference_split_the_bill: Type.Array(Type.Record(Type.Unknown())),
})

export const invoices = extensions({
  listUserInvoices: get(ofUser, {
    summary: 'List the invoices of a user, for all accounts.',
    query: pageQuery,
    replies: { 200: many('Invoice', Invoice) },
  }),
  getUserInvoice: read(`${ofUser}/{itemId}`, 'Read an invoice.', one('Invoice', Invoice)),
  getInvoicePdf: get(`${ofUser}/{invoiceID}/pdf-content`, {
    summary: 'Download an invoice as PDF.',
    replies: { 200: download({ types: ['application/pdf'] }) },
  }),
  listInvoices: get(ofAccount, {
    summary: 'List the invoices for an account.',
    query: pageQuery,
    replies: { 200: many('Invoice', Invoice) },
  }),
  getInvoice: read(`${ofAccount}/{itemId}`, 'Read an invoice for an account.', one('Invoice', Invoice)),
})
