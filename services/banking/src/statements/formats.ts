import type { Account } from '../accounts/store.ts'
import { formatAmount } from '../ledger/money.ts'
import type { Payment } from '../payments/store.ts'
import { dayOf } from '../shapes/moments.ts'
import { pdfOf } from './pdf.ts'

/** What a statement says. Balances are those before the first and after the last of its payments. */
export interface Statement {
  readonly number: number
  readonly account: Account
  readonly from: string
  readonly to: string
  readonly opening: bigint
  readonly closing: bigint
  readonly payments: readonly Payment[]
  /** With a comma before the cents. */
  readonly isEuropean: boolean
}

export interface Rendered {
  readonly mediaType: string
  readonly content: string | Uint8Array
}

function shown(amount: bigint, { account, isEuropean }: Statement): string {
  const text = formatAmount(amount, account.currency)
  return isEuropean ? text.replace('.', ',') : text
}

/** In quotes; what a spreadsheet would take for a formula stays text. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

function csv(statement: Statement): Rendered {
  const separator = statement.isEuropean ? ';' : ','
  const heads = ['Date', 'Amount', 'Account', 'Counterparty', 'Name', 'Description', 'Balance']
  const lines = statement.payments.map((payment) => [
    dayOf(payment.createdAt),
    shown(BigInt(payment.amount), statement),
    statement.account.iban,
    ...[payment.counterparty.iban ?? '', payment.counterparty.display_name, payment.description].map(quoted),
    shown(BigInt(payment.balanceAfter), statement),
  ])
  const rows = [heads, ...lines].map((cells) => cells.map((cell) => (/^["\d-]/.test(cell) ? cell : quoted(cell))))
  return { mediaType: 'text/csv', content: `${rows.map((cells) => cells.join(separator)).join('\r\n')}\r\n` }
}

/** A SWIFT message has no other letters; lines of at most 65. */
const swift = (text: string) => text.normalize('NFKD').replace(/[^A-Za-z0-9/?:().,'+ -]/g, '')
const comma = (amount: bigint, currency: string) =>
  formatAmount(amount < 0n ? -amount : amount, currency).replace('.', ',')
const sign = (amount: bigint) => (amount < 0n ? 'D' : 'C')
const yymmdd = (day: string) => day.slice(2).replaceAll('-', '')

function mt940(statement: Statement): Rendered {
  const { account, number, from, to, opening, closing, payments } = statement
  const balance = (tag: string, day: string, amount: bigint) =>
    `:${tag}:${sign(amount)}${yymmdd(day)}${account.currency}${comma(amount, account.currency)}`
  const lines = payments.flatMap((payment) => {
    const amount = BigInt(payment.amount)
    const day = dayOf(payment.createdAt)
    const { iban, display_name: name } = payment.counterparty
    const told = [iban && `/IBAN/${iban}`, `/NAME/${name}`, `/REMI/${payment.description}`].filter(Boolean).join('')
    const parts = swift(told).match(/.{1,65}/g) ?? []
    const value = `${yymmdd(day)}${day.slice(5).replace('-', '')}${sign(amount)}${comma(amount, account.currency)}`
    return [`:61:${value}NTRF${payment.id}`, `:86:${parts.slice(0, 6).join('\r\n')}`]
  })
  const message = [
    `:20:${number}`,
    `:25:${account.iban}`,
    `:28C:${number}/1`,
    balance('60F', from, opening),
    ...lines,
    balance('62F', to, closing),
    '-',
  ]
  return { mediaType: 'text/plain', content: `${message.join('\r\n')}\r\n` }
}

function pdf(statement: Statement): Rendered {
  const { account, number, from, to, opening, closing, payments } = statement
  const column = (text: string, width: number) => text.slice(0, width).padEnd(width)
  const lines = payments.map((payment) =>
    [
      column(dayOf(payment.createdAt), 11),
      column(payment.counterparty.display_name, 22),
      column(payment.description, 28),
      shown(BigInt(payment.amount), statement).padStart(14),
    ].join(' '),
  )
  const text = [
    `Statement ${number} of ${account.iban}, ${account.userName}`,
    `${from} to ${to}, in ${account.currency}`,
    '',
    `Opening balance ${shown(opening, statement)}`,
    '',
    ...lines,
    '',
    `Closing balance ${shown(closing, statement)}`,
  ]
  return { mediaType: 'application/pdf', content: pdfOf(text, `Statement ${number}`) }
}

const renderers: Readonly<Record<string, (statement: Statement) => Rendered>> = { CSV: csv, MT940: mt940, PDF: pdf }

export function render(format: string, statement: Statement): Rendered {
  const renderer = renderers[format]
  if (!renderer) throw new Error(`there is no format ${format}`)
  return renderer(statement)
}
