/**
 * What an expression can be worth. A whole number is an integer and one with a fraction a decimal; a decimal that has no
 * fraction says so, because `7 / 2` is 4 and `7.0 / 2` is 3.5. All of it survives a trip through JSON.
 */
export type Value = string | number | boolean | null | Decimal
export interface Decimal {
  readonly decimal: number
}

export type Kind = 'Integer' | 'Decimal' | 'String' | 'Boolean' | 'Null'

/** Why an expression has no value. It travels like a value, because throwing is a hundred times slower. */
export interface Problem {
  readonly problem: string
  /** A variable that nobody has set yet. */
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

/** The number in a value, if there is one. */
export function numberIn(value: Value): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null ? value.decimal : undefined
}

const notANumber: Problem = { problem: 'the result is too large for a number' }

export function decimal(number: number): Value | Problem {
  if (!Number.isFinite(number)) return notANumber
  return Number.isSafeInteger(number) ? { decimal: number + 0 } : number
}

/** A whole number; one that an integer cannot hold exactly becomes a decimal. Adding 0 takes the sign off a -0. */
export const integer = (number: number): Value | Problem =>
  Number.isSafeInteger(number) ? number + 0 : decimal(number)

const numeral = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** The number that a text spells in full, as JSON would. */
export function readNumber(text: string): Value | undefined {
  if (!numeral.test(text)) return undefined
  const read = /[.eE]/.test(text) ? decimal(Number(text)) : integer(Number(text))
  return isProblem(read) ? undefined : read
}

/** As people and templates see it: 20.0 keeps its zero. */
export function show(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null) return `${value.decimal}.0`
  return String(value)
}

/** As JSON: numbers as `show` writes them, texts in quotes. */
export const showJson = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : show(value))
