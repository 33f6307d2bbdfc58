import { randomBytes } from 'node:crypto'
import { type Clock, type Db, Failure, invalid, isPattern, notFound, type Page, type ReadingDb } from '@icosa/kernel'
import { hashPassword } from '@icosa/tokens/passwords'
import { checkNewPassword } from '../passwords/rules.ts'
import { normalizeEmail } from './email.ts'
import { checkProfile, type ProfileChanges } from './profile.ts'
import * as store from './store.ts'

export type { ProfileChanges } from './profile.ts'
export type { Person } from './store.ts'

type Person = store.Person

export interface NewPerson {
  readonly email: string
  readonly name?: string | undefined
  readonly password?: string | undefined
  readonly emailVerified: boolean
  /** The tenant that they act for; by default a personal one. */
  readonly tenant?: string | undefined
  readonly permissions?: readonly string[] | undefined
}

/** `alreadyExists` if the address has an account. */
export async function createPerson(db: Db, clock: Clock, person: NewPerson): Promise<Person> {
  return insertPerson(db, clock, await prepare(person))
}

/** Validates a new user and hashes the password: slow, so done before the transaction. */
export async function prepare({ email, name, password, emailVerified, ...grant }: NewPerson): Promise<store.NewRow> {
  const { changes: profile } = checkProfile({ name })
  const address = checkEmail(email)
  if (password !== undefined) checkNewPassword(password, { email: address, name: profile.name })
  const id = `prs_${randomBytes(12).toString('base64url')}`
  const { tenant = `person-${id}`, permissions = ['identity-connect:*'] } = grant
  checkGrant({ tenant, permissions })
  const passwordHash = password === undefined ? null : await hashPassword(password)
  return { id, email: address, emailVerified, passwordHash, tenant, permissions, profile }
}

export async function insertPerson(db: Db, clock: Clock, row: store.NewRow): Promise<Person> {
  const person = await store.insert(db, row, clock.now())
  if (!person) throw new Failure('alreadyExists', 'This e-mail address has an account: sign in, or reset its password.')
  return person
}

/** Returns the stored form of an address, or rejects it. */
export function checkEmail(email: string): string {
  return normalizeEmail(email) ?? invalid([{ at: 'email', message: 'must be an address such as ada@example.com' }])
}

/** Validates the syntax of a tenant and permissions; authorization is the caller's concern. */
export function checkGrant(grant: { tenant?: string | undefined; permissions?: readonly string[] | undefined }): void {
  if (grant.tenant !== undefined && !/^[\w.@-]{1,100}$/.test(grant.tenant))
    invalid([{ at: 'tenant', message: 'must be 1 to 100 letters, digits or . @ _ -' }])
  if (grant.permissions?.every(isPattern) === false)
    invalid([{ at: 'permissions', message: "must be patterns such as 'identity-connect:*'" }])
}

export function findById(db: ReadingDb, id: string): Promise<Person | undefined> {
  return store.find(db, id)
}

/** Ignores case. */
export async function findByEmail(db: ReadingDb, email: string): Promise<Person | undefined> {
  const address = normalizeEmail(email)
  return address === undefined ? undefined : store.findByEmail(db, address)
}

/** Changes the given claims; an empty text removes one. */
export async function updateProfile(db: Db, clock: Clock, id: string, changes: ProfileChanges): Promise<Person> {
  const profile = checkProfile(changes)
  return (await store.changeProfile(db, id, profile.changes, profile.removed, clock.now())) ?? notFound('person', id)
}

/** A disabled user cannot sign in. The caller ends their sessions. */
export async function setDisabled(db: Db, clock: Clock, id: string, disabled: boolean): Promise<Person> {
  return (await store.setDisabledAt(db, id, disabled ? clock.now() : null)) ?? notFound('person', id)
}

/** Also deletes passkeys, consents and open links. The caller ends sessions and tokens. */
export async function deletePerson(db: Db, id: string): Promise<void> {
  if (!(await store.remove(db, id))) notFound('person', id)
}

export function listPeople(db: ReadingDb, options: store.ListOptions): Promise<Page<Person>> {
  return store.list(db, options)
}
