import { randomInt } from 'node:crypto'
import type { Db } from '@icosa/kernel'
import { insertKey } from '../access/store.ts'
import { newSecret } from '../access/tokens.ts'
import { insertAccount } from '../accounts/store.ts'
import { insertUser, type NewUser, type UserKind } from './store.ts'

const firstNames = ['Ada', 'Bram', 'Cleo', 'Daan', 'Eva', 'Fenna', 'Gijs', 'Hugo', 'Iris', 'Jens', 'Kaat', 'Lotte']
const lastNames = ['Bakker', 'de Boer', 'Dekker', 'Jansen', 'Koning', 'Mulder', 'Peeters', 'Smit', 'Visser', 'Willems']
const trades = ['Bakery', 'Books', 'Coffee', 'Cycles', 'Flowers', 'Records', 'Tea', 'Toys']

const pick = (words: readonly string[]) => words[randomInt(words.length)] as string

/** A fictitious user with an unused address. */
function fictitiousUser(kind: UserKind): NewUser {
  const number = randomInt(10 ** 12)
    .toString()
    .padStart(12, '0')
  const [first, last] = [pick(firstNames), pick(lastNames)]
  const email = `test+${number}@sandbox.example`
  const phone = `+3197${number.slice(1)}`
  if (kind === 'UserPerson') {
    const profile = { first_name: first, last_name: last, nationality: 'NL', language: 'en_US', region: 'nl_NL' }
    return { kind, displayName: `${first} ${last}`, email, phone, profile }
  }
  const name = `${last} ${pick(trades)}`
  const profile = { name, country: 'NL', language: 'en_US', region: 'nl_NL' }
  return { kind, displayName: name, email, phone, profile }
}

/** Inserts a fictitious user with an account and a key. */
export async function insertSandboxUser(
  db: Db,
  tenant: string,
  kind: UserKind,
  at: Date,
): Promise<{ readonly user: string; readonly key: string }> {
  const { id: user } = await insertUser(db, tenant, fictitiousUser(kind), at)
  const account = { user, kind: 'MonetaryAccountBank', currency: 'EUR', description: 'Current account' } as const
  await insertAccount(db, tenant, { ...account, details: {}, at })
  const { token: key, hash } = newSecret('sandbox', tenant)
  await insertKey(db, tenant, user, hash)
  return { user, key }
}
