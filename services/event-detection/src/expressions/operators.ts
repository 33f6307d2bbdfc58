import type { Arithmetic, Bitwise, Equality, Order, UnaryOperator } from './syntax.ts'
import { decimal, integer, isProblem, kindOf, numberIn, type Problem, type Result, type Value } from './value.ts'

/** Limits texts such as a variable that doubles itself with every message. */
export const maxTextLength = 8_192

const tooLong: Problem = { problem: `the text is longer than ${maxTextLength} characters` }
const byZero: Problem = { problem: 'division by zero' }

const cannot = (operator: string, ...values: Value[]): Problem => ({
  problem: `'${operator}' does not take ${values.map(kindOf).join(' and ')}`,
})

export const concatenate = (left: string, right: string): string | Problem =>
  left.length + right.length > maxTextLength ? tooLong : left + right

export function arithmetic(operator: Arithmetic, left: Value, right: Value): Result {
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') return concatenate(left, right)
  const a = numberIn(left)
  const b = numberIn(right)
  if (a === undefined || b === undefined) return cannot(operator, left, right)
  if (b === 0 && (operator === '/' || operator === '%')) return byZero
  const whole = kindOf(left) === 'Integer' && kindOf(right) === 'Integer'
  switch (operator) {
    case '+':
      return whole ? integer(a + b) : decimal(a + b)
    case '-':
      return whole ? integer(a - b) : decimal(a - b)
    case '*':
      return whole ? integer(a * b) : decimal(a * b)
    case '/':
      return whole ? integer(rounded(a / b)) : decimal(a / b)
    case '%':
      return whole ? integer(a % b) : decimal(a % b)
  }
}

/** Rounds to nearest; halves away from zero. */
const rounded = (number: number) => Math.sign(number) * Math.round(Math.abs(number))

export function bits(operator: Bitwise, left: Value, right: Value): Result {
  if (typeof left !== 'number' || typeof right !== 'number') return cannot(operator, left, right)
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return cannot(operator, left, right)
  const a = BigInt(left)
  const b = BigInt(right)
  return integer(Number(operator === '&' ? a & b : operator === '|' ? a | b : a ^ b))
}

export function unary(operator: UnaryOperator, value: Value): Result {
  if (operator === '!') return typeof value === 'boolean' ? !value : cannot('!', value)
  if (operator === '~') return kindOf(value) === 'Integer' ? bits('^', value, -1) : cannot('~', value)
  const number = numberIn(value)
  if (number === undefined) return cannot('-', value)
  return kindOf(value) === 'Integer' ? integer(-number) : decimal(-number)
}

export function ordering(operator: Order, left: Value, right: Value): Result {
  const a = typeof left === 'string' ? left : numberIn(left)
  const b = typeof right === 'string' ? right : numberIn(right)
  if (a === undefined || b === undefined || typeof a !== typeof b) return cannot(operator, left, right)
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}

/** Values of different kinds are not unequal: comparing them is a problem. */
export function equality(operator: Equality, left: Value, right: Value): Result {
  const a = numberIn(left) ?? left
  const b = numberIn(right) ?? right
  if (a === null || b === null || typeof a !== typeof b) return cannot(operator, left, right)
  return (a === b) === (operator === '==')
}

/** An unset variable equals nothing, not even itself: `$variable.x != $variable.x` tests whether it is unset. */
export function equalityOfResults(operator: Equality, left: Result, right: Result): Result {
  if (!isProblem(left) && !isProblem(right)) return equality(operator, left, right)
  const missing = [left, right].find((side) => isProblem(side) && !side.unset)
  return missing ?? operator === '!='
}
