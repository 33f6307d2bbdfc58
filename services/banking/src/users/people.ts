import { randomInt } from 'node:crypto'
import type { NewUser, UserKind } from './store.ts'

const firstNames = ['Ada', 'Bram', 'Cleo', 'Daan', 'Eva', 'Fenna', 'Gijs', 'Hugo', 'Iris', 'Jens', 'Kaat', 'Lotte']
const lastNames = ['Bakker', 'de Boer', 'Dekker', 'Jansen', 'Koning', 'Mulder', 'Peeters', 'Smit', 'Visser', 'Willems']
const trades = ['Bakery', 'Books', 'Coffee', 'Cycles', 'Flowers', 'Records', 'Tea', 'Toys']

const pick = (words: readonly string[]) => words[randomInt(words.length)] as string

/** A fictitious user with an unused address. */
export function fictitiousUser(kind: UserKind): NewUser {
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
