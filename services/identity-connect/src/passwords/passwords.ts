import { type Db, Failure, type JobsOf } from '@icosa/kernel'
import { hashPassword, isOutdated, isPassword, nobodysHash } from '@icosa/tokens/passwords'
import { count, emailKey, onDevice, personKey, stranger, succeed, takeBack } from '../attempts/attempts.ts'
import * as attempts from '../attempts/store.ts'
import * as links from '../links/store.ts'
import { notify } from '../mail/notices.ts'
import type { PeopleContext } from '../people/context.ts'
import { normaliseEmail } from '../people/email.ts'
import * as people from '../people/store.ts'
import { type Devices, knownDevice } from './devices.ts'
import { checkNewPassword } from './rules.ts'
import * as store from './store.ts'

export interface Guess {
  readonly email: string
  readonly password: string
  /** The network address it came from, as the node sees it. */
  readonly address: string
  /** Those that the browser knows. */
  readonly devices?: Devices | undefined
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
export async function checkPassword(context: PeopleContext, guess: Guess): Promise<SignIn> {
  const { database } = context
  const { email, password, address, devices } = guess
  const typed = normaliseEmail(email)
  const secret = typed === undefined ? undefined : await store.findByEmail(database, typed)
  // By its person: spellings of an address that the database takes for the same one share a count.
  const account = secret ? personKey(context, secret.id) : emailKey(context, typed ?? email)
  const device = knownDevice(context, devices, secret)
  const guesser =
    secret && device !== undefined ? onDevice(context, secret.id, device) : stranger(context, account, address)
  const until = await count(context, guesser)
  if (until) return { outcome: 'locked', until }

  const isRight = await isPassword(password, secret?.hash ?? nobodysHash).catch(async (error) => {
    await takeBack(context, guesser) // there was no room to check it
    throw error
  })
  if (!isRight || !secret?.hash) return { outcome: 'wrong' }
  await succeed(context, guesser)
  if (isOutdated(secret.hash)) await store.replaceHash(database, secret.id, secret.hash, await hashPassword(password))
  const person = await people.find(database, secret.id)
  if (!person) return { outcome: 'wrong' } // deleted while we looked
  return person.disabledAt ? { outcome: 'disabled' } : { outcome: 'ok', person }
}

/**
 * Gives a person another password, and notifies them. `prove` refuses whoever does not know the one that they have. Nothing
 * is changed if somebody else changed it meanwhile: whoever is being locked out must not have the last word.
 */
export async function changePassword(
  context: PeopleContext,
  person: people.Person,
  password: string,
  prove: () => Promise<void>,
): Promise<void> {
  checkNewPassword(password, { email: person.email, name: person.profile.name })
  const before = await store.findById(context.database, person.id)
  if (before?.hash) await prove()
  const hash = await hashPassword(password)
  await context.transaction(async (db, jobs) => {
    if (!before || !(await store.replaceHash(db, person.id, before.hash, hash)))
      throw new Failure('conflict', 'Your password has been changed in the meantime: sign in again.')
    await afterChange(context, db, jobs, person)
  })
}

/** For whoever has shown by mail that the account is theirs. */
export async function putPassword(
  context: PeopleContext,
  db: Db,
  jobs: JobsOf,
  person: people.Person,
  hash: string | null,
): Promise<void> {
  await store.setHash(db, person.id, hash)
  await afterChange(context, db, jobs, person)
}

/** Ends the lock and any link that could still set another password. */
async function afterChange(context: PeopleContext, db: Db, jobs: JobsOf, person: people.Person): Promise<void> {
  await attempts.forget(db, personKey(context, person.id))
  await links.endOpen(db, { purpose: 'reset', email: person.email }, context.clock.now())
  await notify(context, jobs, person, 'passwordChanged')
}
