/**
 * Value of an expression, serializable as JSON. A number is an integer if it is whole, else a decimal; a whole decimal is
 * wrapped, because `7 / 2` is 4 and `7.0 / 2` is 3.5.
 */
export type Value = string | number | boolean | null | Decimal
export interface Decimal {
  readonly decimal: number
}

export type Kind = 'Integer' | 'Decimal' | 'String' | 'Boolean' | 'Null'

/** Reason why an expression has no value. Returned like a value, since throwing is a hundred times slower. */
export interface Problem {
  readonly problem: string
  /** The variable is not set. */
  readonly unset?: true
}
export type Result = Value | Problem

export const isProblem = (result: Result): result is Problem =>
  typeof result === 'object' && result !== null && 'problem' in result

export function kindOf(value: Value): Kind {
  if (value === null) return 'Null'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Integer' : 'Decimal'
  if (typeof value === 'string') return 'String'
  return typeof value === 'boolean' ? 'Boolean' : 'Decimal'
}

export function numberIn(value: Value): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null ? value.decimal : undefined
}

const notANumber: Problem = { problem: 'the result is too large for a number' }

export function decimal(number: number): Value | Problem {
  if (!Number.isFinite(number)) return notANumber
  return Number.isSafeInteger(number) ? { decimal: number + 0 } : number
}

/** A whole number; one beyond the safe range becomes a decimal. Adding 0 normalizes -0. */
export const integer = (number: number): Value | Problem =>
  Number.isSafeInteger(number) ? number + 0 : decimal(number)

const numeral = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** Parses a complete text as a JSON number. */
export function readNumber(text: string): Value | undefined {
  if (!numeral.test(text)) return undefined
  const value = /[.eE]/.test(text) ? decimal(Number(text)) : integer(Number(text))
  return isProblem(value) ? undefined : value
}

/** Text form, as in templates: 20.0 keeps its zero. */
export function show(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) return `${value.decimal}.0`
  return String(value)
}

/** JSON form: numbers like `show`, texts in quotes. */
export const showJson = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : show(value))
