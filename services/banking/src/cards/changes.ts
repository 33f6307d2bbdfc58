import { randomInt, randomUUID } from 'node:crypto'
import { invalid } from '@icosa/kernel'
import type { Currency } from '../ledger/money.ts'
import { amountIn } from '../payments/pay.ts'
import type { Amount } from '../shapes/contract.ts'
import type { AccountNumber, CountryPermission } from './store.ts'

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
/** Region codes that are not countries. */
const notCountries = new Set(['EU', 'EZ', 'QO', 'UK', 'UN', 'XA', 'XB', 'ZZ'])

export function checkCountry(code: string, at: string): void {
  if (notCountries.has(code) || regions.of(code) === undefined)
    invalid([{ at, message: `${code} is not a country: use an ISO 3166-1 code` }])
}

export const randomDigits = () => String(randomInt(10_000)).padStart(4, '0')

const maxNumbers = 10
const nextId = (all: readonly { readonly id?: number }[]) => Math.max(0, ...all.map(({ id = 0 }) => id)) + 1

interface NumberChange {
  readonly id?: number
  readonly uuid?: string
  readonly description?: string
  readonly status?: string
  readonly monetary_account_id?: number | null
  readonly type?: string
}

/** Changes numbers of a card by id or uuid, and adds others. None is removed: an unused one is INACTIVE. */
export function changedNumbers(
  numbers: readonly AccountNumber[],
  changes: readonly NumberChange[],
): readonly AccountNumber[] {
  const at = 'body/primary_account_numbers'
  const all = [...numbers]
  for (const { id, uuid, description, status, monetary_account_id, type } of changes) {
    const change = {
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(monetary_account_id !== undefined && { monetary_account_id }),
    }
    const index = all.findIndex((number) =>
      id === undefined ? uuid !== undefined && number.uuid === uuid : number.id === id,
    )
    if (index < 0 && (id !== undefined || uuid !== undefined))
      invalid([{ at, message: `the card has no number ${id ?? uuid}` }])
    if (index < 0 && type === 'PRIMARY') invalid([{ at, message: 'an added number must be VIRTUAL' }])
    const added = { description: '', status: 'ACTIVE', type: 'VIRTUAL', four_digit: randomDigits() }
    if (index < 0) all.push({ id: nextId(all), uuid: randomUUID(), ...added, ...change })
    else all[index] = { ...(all[index] as AccountNumber), ...change }
  }
  return all.length <= maxNumbers ? all : invalid([{ at, message: `a card has at most ${maxNumbers} numbers` }])
}

interface PermissionChange {
  readonly id?: number
  readonly country: string
  readonly expiry_time?: string | null
}

/** Replaces the permitted countries; those that remain keep their id. */
export function changedCountries(
  before: readonly CountryPermission[],
  countries: readonly PermissionChange[],
): readonly CountryPermission[] {
  let next = nextId(before)
  return countries.map(({ country, expiry_time = null }) => {
    checkCountry(country, 'body/country_permission')
    return { id: before.find((permission) => permission.country === country)?.id ?? next++, country, expiry_time }
  })
}

const maxLimit = '10000'

/** A daily limit in the smallest unit. */
export function limitIn(currency: Currency, limit: Amount, at: string): bigint {
  const amount = amountIn(currency, limit, at)
  return amount <= amountIn(currency, { value: maxLimit, currency })
    ? amount
    : invalid([{ at: `${at}/value`, message: `must be at most ${maxLimit} ${currency}` }])
}
