import { bic } from '../accounts/iban.ts'
import { labelOfOther, toAmount } from '../accounts/view.ts'
import type { Stored } from '../documents/store.ts'
import { toAddress } from '../shapes/addresses.ts'
import { dayOf, momentOf } from '../shapes/moments.ts'
import { pdfOf } from '../statements/pdf.ts'
import { type Charged, currency, totalOf } from './fees.ts'
import type { InvoiceBody } from './store.ts'

type Invoice = Stored<InvoiceBody>

export const bankLabel = { ...labelOfOther({ value: 'The bank' }, null), swift_bic: bic }

export const numberOf = ({ id, body }: Pick<Invoice, 'id' | 'body'>) => `${body.month.replace('-', '')}-${id}`

const descriptions = { account: 'An account for a month', card: 'A card for a month' } as const

/** Banking fees carry no VAT, so both prices are equal. */
const both = <const N extends string>(name: N, cents: bigint) =>
  ({ [`${name}_vat_exclusive`]: euros(cents), [`${name}_vat_inclusive`]: euros(cents) }) as {
    [K in `${N}_vat_exclusive` | `${N}_vat_inclusive`]: ReturnType<typeof euros>
  }
const euros = (cents: bigint) => toAmount(cents, currency)

export function toInvoice(invoice: Invoice) {
  const { id, status, body, createdAt, updatedAt } = invoice
  const date = dayOf(createdAt)
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    invoice_date: date,
    invoice_number: numberOf(invoice),
    status,
    category: 'GENERAL',
    group: body.charged.map((charged, nth) => groupOf(charged, nth + 1, date, body.alias.iban ?? '')),
    ...both('total', totalOf(body.charged)),
    total_vat: euros(0n),
    alias: body.alias,
    address: toAddress(body.address),
    counterparty_alias: bankLabel,
    counterparty_address: null,
    chamber_of_commerce_number: null,
    vat_number: null,
    request_reference_split_the_bill: [],
  }
}

function groupOf(charged: Charged, id: number, billing_date: string, instance_description: string) {
  const { of, quantity, unit } = charged
  const description = { type_description: descriptions[of], type_description_translated: descriptions[of] }
  const total = totalOf([charged])
  const item = { id, billing_date, ...description, ...both('unit', BigInt(unit)), vat: 0, quantity }
  return {
    type: of.toUpperCase(),
    ...description,
    instance_description,
    ...both('product', total),
    item: [{ ...item, ...both('total', total) }],
  }
}

export async function toPdf(invoice: Invoice): Promise<Uint8Array> {
  const { alias, address, charged, month } = invoice.body
  const number = numberOf(invoice)
  const addressLines = address && [
    [address.street, address.house_number].filter(Boolean).join(' '),
    [address.postal_code, address.city].filter(Boolean).join(' '),
  ]
  const columns = (what: string, quantity: string, unit: string, total: string) =>
    `${what.padEnd(30)} ${quantity.padStart(5)} ${unit.padStart(12)} ${total.padStart(12)}`
  const lines = charged.map((item) =>
    columns(descriptions[item.of], String(item.quantity), euros(BigInt(item.unit)).value, euros(totalOf([item])).value),
  )
  const text = [
    `Invoice ${number}`,
    `${dayOf(invoice.createdAt)}, for ${month}, in ${currency}`,
    '',
    alias.display_name,
    ...(addressLines ?? []).filter(Boolean),
    alias.iban ?? '',
    '',
    columns('', 'Items', 'Price', 'Total'),
    ...lines,
    columns('Total (no VAT is charged)', '', '', euros(totalOf(charged)).value),
    '',
    invoice.status === 'PAID'
      ? 'Paid from the account.'
      : 'Open: the account is debited when its balance is sufficient.',
  ]
  return Buffer.concat(await Array.fromAsync(pdfOf([text], `Invoice ${number}`)))
}
