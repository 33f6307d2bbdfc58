/** Decimal digits of each currency. */
export const exponents = {
  AUD: 2,
  BGN: 2,
  BHD: 3,
  CAD: 2,
  CHF: 2,
  CZK: 2,
  DKK: 2,
  EUR: 2,
  GBP: 2,
  HUF: 2,
  ISK: 0,
  JPY: 0,
  KRW: 0,
  KWD: 3,
  NOK: 2,
  NZD: 2,
  PLN: 2,
  RON: 2,
  SEK: 2,
  USD: 2,
} as const

export type Currency = keyof typeof exponents

export const isCurrency = (code: string): code is Currency => Object.hasOwn(exponents, code)

/** In whole units of the smallest denomination: the ledger never rounds. */
export interface Money {
  readonly amount: bigint
  readonly currency: Currency
}

/** The sum of nine million such amounts still fits a balance. */
const maxAmount = 10n ** 12n

/** `12.50` in EUR is 1250. Undefined for too many digits, excessive amounts and unknown currencies. */
export function parseMoney(value: string, currency: string): Money | undefined {
  if (!isCurrency(currency)) return undefined
  const digits = exponents[currency]
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,3}))?$/.exec(value) ?? []
  if (whole === undefined || fraction.length > digits) return undefined
  const amount = BigInt(`${sign}${whole}${fraction.padEnd(digits, '0')}`)
  return amount > maxAmount || amount < -maxAmount ? undefined : { amount, currency }
}

export function formatAmount(amount: bigint, currency: string): string {
  const digits = isCurrency(currency) ? exponents[currency] : 2
  const text = String(amount < 0n ? -amount : amount).padStart(digits + 1, '0')
  const sign = amount < 0n ? '-' : ''
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}
