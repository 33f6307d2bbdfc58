import { expect, test } from 'vitest'
import { formatAmount, parseMoney } from './money.ts'

test('amounts are whole numbers of the smallest unit of their currency', () => {
  expect(parseMoney('12.50', 'EUR')).toEqual({ amount: 1_250n, currency: 'EUR' })
  expect(parseMoney('12.5', 'EUR')?.amount).toBe(1_250n)
  expect(parseMoney('12', 'JPY')?.amount).toBe(12n)
  expect(parseMoney('0.001', 'KWD')?.amount).toBe(1n)
  expect(parseMoney('-0.01', 'EUR')?.amount).toBe(-1n)
})

test.each(['0.001', '1,00', '1e3', ' 1', '', 'NaN', '.5', '5.', '0x10', '+1', '99999999999999.00'])(
  '%j is not an amount in euros',
  (text) => expect(parseMoney(text, 'EUR')).toBeUndefined(),
)

test('a currency without minor units accepts no fraction, and an unknown currency no amount', () => {
  expect(parseMoney('1.5', 'JPY')).toBeUndefined()
  expect(parseMoney('1', 'XXX')).toBeUndefined() // the code for no currency
  expect(parseMoney('1', 'toString')).toBeUndefined()
})

test('formatting reverses parsing', () => {
  for (const text of ['0.00', '0.05', '-0.05', '1.00', '-12.34', '123456789.01'])
    expect(formatAmount(parseMoney(text, 'EUR')?.amount as bigint, 'EUR')).toBe(text)
  expect(formatAmount(1_234n, 'JPY')).toBe('1234')
  expect(formatAmount(-1n, 'KWD')).toBe('-0.001')
})

test('an amount is at most 10^12 of the smallest unit, positive or negative', () => {
  for (const [sign, factor] of [
    ['', 1n],
    ['-', -1n],
  ] as const) {
    expect(parseMoney(`${sign}10000000000.00`, 'EUR')?.amount).toBe(factor * 10n ** 12n)
    expect(parseMoney(`${sign}10000000000.01`, 'EUR')).toBeUndefined()
  }
  expect(parseMoney('1000000000000', 'JPY')?.amount).toBe(10n ** 12n)
  expect(parseMoney('1000000000000000', 'JPY')).toBeUndefined()
  expect(parseMoney('0000000000000001', 'EUR'), 'sixteen digits').toBeUndefined()
})

test('amounts are formatted with the digits of their currency', () => {
  expect([formatAmount(5n, 'JPY'), formatAmount(-5n, 'JPY'), formatAmount(0n, 'JPY')]).toEqual(['5', '-5', '0'])
  expect([formatAmount(5n, 'KWD'), formatAmount(-12_345n, 'KWD')]).toEqual(['0.005', '-12.345'])
  expect(formatAmount(5n, 'XXX'), 'of an unknown currency').toBe('0.05')
})
