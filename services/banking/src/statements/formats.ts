import type { Account } from '../accounts/store.ts'
import { formatAmount } from '../ledger/money.ts'
import type { Payment } from '../payments/store.ts'
import { dayOf } from '../shapes/moments.ts'
import { pdfOf } from './pdf.ts'

export interface Statement {
  readonly number: number
  readonly account: Account
  readonly from: string
  readonly to: string
  /** Balance before the first payment. */
  readonly opening: bigint
  /** In pages, which can be read only once. */
  readonly payments: AsyncIterable<readonly Payment[]>
  /** Decimal comma. */
  readonly isEuropean: boolean
}

export interface Rendered {
  readonly mediaType: string
  readonly content: AsyncIterable<string | Uint8Array>
}

function format(amount: bigint, { account, isEuropean }: Statement): string {
  const text = formatAmount(amount, account.currency)
  return isEuropean ? text.replace('.', ',') : text
}

/** Quotes a cell, and escapes what a spreadsheet would take for a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

const inLines = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('')

async function* csv(statement: Statement): AsyncGenerator<string> {
  const separator = statement.isEuropean ? ';' : ','
  const row = (cells: readonly string[]) =>
    cells.map((cell) => (/^["\d-]/.test(cell) ? cell : quoted(cell))).join(separator)
  yield inLines([row(['Date', 'Amount', 'Account', 'Counterparty', 'Name', 'Description', 'Balance'])])
  for await (const payments of statement.payments)
    yield inLines(
      payments.map((payment) =>
        row([
          dayOf(payment.createdAt),
          format(BigInt(payment.amount), statement),
          statement.account.iban,
          ...[payment.counterparty.iban ?? '', payment.counterparty.display_name, payment.description].map(quoted),
          format(BigInt(payment.balanceAfter), statement),
        ]),
      ),
    )
}

/** Keeps only the characters of SWIFT messages. */
const swift = (text: string) => text.normalize('NFKD').replace(/[^A-Za-z0-9/?:().,'+ -]/g, '')
const comma = (amount: bigint, currency: string) =>
  formatAmount(amount < 0n ? -amount : amount, currency).replace('.', ',')
const sign = (amount: bigint) => (amount < 0n ? 'D' : 'C')
const yymmdd = (day: string) => day.slice(2).replaceAll('-', '')

async function* mt940({ account, number, from, to, opening, payments }: Statement): AsyncGenerator<string> {
  const balance = (tag: string, day: string, amount: bigint) =>
    `:${tag}:${sign(amount)}${yymmdd(day)}${account.currency}${comma(amount, account.currency)}`
  const entry = (payment: Payment) => {
    const amount = BigInt(payment.amount)
    const day = dayOf(payment.createdAt)
    const { iban, display_name: name } = payment.counterparty
    const narrative = [iban && `/IBAN/${iban}`, `/NAME/${name}`, `/REMI/${payment.description}`]
      .filter(Boolean)
      .join('')
    const parts = swift(narrative).match(/.{1,65}/g) ?? []
    const value = `${yymmdd(day)}${day.slice(5).replace('-', '')}${sign(amount)}${comma(amount, account.currency)}`
    return [`:61:${value}NTRF${payment.id}`, `:86:${parts.slice(0, 6).join('\r\n')}`]
  }
  yield inLines([`:20:${number}`, `:25:${account.iban}`, `:28C:${number}/1`, balance('60F', from, opening)])
  let closing = opening
  for await (const page of payments) {
    closing += totalOf(page)
    yield inLines(page.flatMap(entry))
  }
  yield inLines([balance('62F', to, closing), '-'])
}

const totalOf = (payments: readonly Payment[]) => payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

async function* textOf(statement: Statement): AsyncGenerator<readonly string[]> {
  const { account, number, from, to, opening, payments } = statement
  const column = (text: string, width: number) => text.slice(0, width).padEnd(width)
  const line = (payment: Payment) =>
    [
      column(dayOf(payment.createdAt), 11),
      column(payment.counterparty.display_name, 22),
      column(payment.description, 28),
      format(BigInt(payment.amount), statement).padStart(14),
    ].join(' ')
  yield [
    `Statement ${number} of ${account.iban}, ${account.userName}`,
    `${from} to ${to}, in ${account.currency}`,
    '',
    `Opening balance ${format(opening, statement)}`,
    '',
  ]
  let closing = opening
  for await (const page of payments) {
    closing += totalOf(page)
    yield page.map(line)
  }
  yield ['', `Closing balance ${format(closing, statement)}`]
}

const renderers: Readonly<Record<string, (statement: Statement) => Rendered>> = {
  CSV: (statement) => ({ mediaType: 'text/csv', content: csv(statement) }),
  MT940: (statement) => ({ mediaType: 'text/plain', content: mt940(statement) }),
  PDF: (statement) => ({
    mediaType: 'application/pdf',
    content: pdfOf(textOf(statement), `Statement ${statement.number}`),
  }),
}

export function render(format: string, statement: Statement): Rendered {
  const renderer = renderers[format]
  if (!renderer) throw new Error(`there is no format ${format}`)
  return renderer(statement)
}
