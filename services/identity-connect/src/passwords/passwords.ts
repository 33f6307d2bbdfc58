import type { Db, JobsOf } from '@icosa/kernel'
import { accountLimit, count, emailKey, networkKey, networkLimit, personKey } from '../attempts/attempts.ts'
import * as attempts from '../attempts/store.ts'
import * as links from '../links/store.ts'
import { notify } from '../mail/notices.ts'
import type { PeopleContext } from '../people/context.ts'
import { normaliseEmail } from '../people/email.ts'
import * as people from '../people/store.ts'
import { hashPassword, isOutdated, isPassword, nobodysHash } from './argon2.ts'
import { checkNewPassword } from './rules.ts'
import * as store from './store.ts'

export interface Guess {
  readonly email: string
  readonly password: string
  /** The network address it came from. */
  readonly address: string
}

export type SignIn =
  | { readonly outcome: 'ok'; readonly person: people.Person }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'locked'; readonly until: Date }
  | { readonly outcome: 'disabled' }

/**
 * Whether this is the password of the account. Every guess is counted before it is checked, and an address that
 * nobody has is counted, locked and checked like any other. Only the right password tells that an account is disabled.
 */
export async function checkPassword(context: PeopleContext, { email, password, address }: Guess): Promise<SignIn> {
  const { database } = context
  const typed = normaliseEmail(email)
  const secret = typed === undefined ? undefined : await store.findByEmail(database, typed)
  // By its person: spellings of an address that the database takes for the same one share a count.
  const account = secret ? personKey(context, secret.id) : emailKey(context, typed ?? email)
  const network = networkKey(context, address)
  const until = (await count(context, network, networkLimit)) ?? (await count(context, account, accountLimit))
  if (until) return { outcome: 'locked', until }

  const isRight = await isPassword(password, secret?.hash ?? nobodysHash).catch(async (error) => {
    await attempts.takeBack(database, account, accountLimit) // there was no room to check it
    await attempts.takeBack(database, network, networkLimit)
    throw error
  })
  if (!isRight || !secret?.hash) return { outcome: 'wrong' }
  await attempts.forget(database, account)
  // Only its own count: an account of one's own must not buy further guesses at those of others.
  await attempts.takeBack(database, network, networkLimit)
  if (isOutdated(secret.hash)) await store.replaceHash(database, secret.id, secret.hash, await hashPassword(password))
  const person = await people.find(database, secret.id)
  if (!person) return { outcome: 'wrong' } // deleted while we looked
  return person.disabledAt ? { outcome: 'disabled' } : { outcome: 'ok', person }
}

/** Gives a person another password, and tells them. Whether they know the old one is the caller's to ask. */
export async function changePassword(context: PeopleContext, person: people.Person, password: string): Promise<void> {
  checkNewPassword(password, { email: person.email, name: person.profile.name })
  const hash = await hashPassword(password)
  await context.transaction((db, jobs) => putPassword(context, db, jobs, person, hash))
}

/** The quick half: ends the lock and any link that could still set another password. */
export async function putPassword(
  context: PeopleContext,
  db: Db,
  jobs: JobsOf,
  person: people.Person,
  hash: string,
): Promise<void> {
  await store.setHash(db, person.id, hash)
  await attempts.forget(db, personKey(context, person.id))
  await links.endOpen(db, { purpose: 'reset', email: person.email }, context.clock.now())
  await notify(context, jobs, person, 'passwordChanged')
}
