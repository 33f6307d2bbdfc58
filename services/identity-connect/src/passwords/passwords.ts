import { type Db, Failure, type JobsOf } from '@icosa/kernel'
import { hashPassword, isOutdated, isPassword, nobodysHash } from '@icosa/tokens/passwords'
import { count, emailKey, onKnownDevice, onUnknownDevice, personKey, refund, succeed } from '../attempts/attempts.ts'
import * as attempts from '../attempts/store.ts'
import * as links from '../links/store.ts'
import { notify } from '../mail/notices.ts'
import type { PeopleContext } from '../people/context.ts'
import { normalizeEmail } from '../people/email.ts'
import * as people from '../people/store.ts'
import { type Devices, knownDevice } from './devices.ts'
import { checkNewPassword } from './rules.ts'
import * as store from './store.ts'

export interface Guess {
  readonly email: string
  readonly password: string
  /** The client's network address. */
  readonly address: string
  /** From the browser's cookie. */
  readonly devices?: Devices | undefined
}

export type SignIn =
  | { readonly outcome: 'ok'; readonly person: people.Person }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'locked'; readonly until: Date }
  | { readonly outcome: 'disabled' }

/**
 * Checks the password of an account. Every guess is counted before it is checked, and an unknown address is counted, locked
 * and checked like any other. Only the right password reveals that an account is disabled.
 */
export async function checkPassword(context: PeopleContext, guess: Guess): Promise<SignIn> {
  const { database } = context
  const { email, password, address, devices } = guess
  const normalized = normalizeEmail(email)
  const secret = normalized === undefined ? undefined : await store.findByEmail(database, normalized)
  // Counted by account, so that equivalent spellings of an address share a counter.
  const account = secret ? personKey(context, secret.id) : emailKey(context, normalized ?? email)
  const device = knownDevice(context, devices, secret)
  const source =
    secret && device !== undefined
      ? onKnownDevice(context, secret.id, device)
      : onUnknownDevice(context, account, address)
  const until = await count(context, source)
  if (until) return { outcome: 'locked', until }

  const isRight = await isPassword(password, secret?.hash ?? nobodysHash).catch(async (error) => {
    await refund(context, source) // overloaded: it was not checked
    throw error
  })
  if (!isRight || !secret?.hash) return { outcome: 'wrong' }
  await succeed(context, source)
  if (isOutdated(secret.hash)) await store.replaceHash(database, secret.id, secret.hash, await hashPassword(password))
  const person = await people.find(database, secret.id)
  if (!person) return { outcome: 'wrong' } // deleted meanwhile
  return person.disabledAt ? { outcome: 'disabled' } : { outcome: 'ok', person }
}

/**
 * Changes a password, and notifies the user. `verify` throws unless the caller knows the current one. Fails if the password
 * was changed meanwhile: an attacker must not override the owner's reset.
 */
export async function changePassword(
  context: PeopleContext,
  person: people.Person,
  password: string,
  verify: () => Promise<void>,
): Promise<void> {
  checkNewPassword(password, { email: person.email, name: person.profile.name })
  const before = await store.findById(context.database, person.id)
  if (before?.hash) await verify()
  const hash = await hashPassword(password)
  await context.transaction(async (db, jobs) => {
    if (!before || !(await store.replaceHash(db, person.id, before.hash, hash)))
      throw new Failure('conflict', 'Your password has been changed in the meantime: sign in again.')
    await afterChange(context, db, jobs, person)
  })
}

/** For users verified by mail. */
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

/** Lifts the lock, and ends open reset links. */
async function afterChange(context: PeopleContext, db: Db, jobs: JobsOf, person: people.Person): Promise<void> {
  await attempts.forget(db, personKey(context, person.id))
  await links.endOpen(db, { purpose: 'reset', email: person.email }, context.clock.now())
  await notify(context, jobs, person, 'passwordChanged')
}
