import { randomBytes } from 'node:crypto'
import { type Clock, type Db, Failure, invalid, isPattern, notFound, type Page, type ReadingDb } from '@icosa/kernel'
import { hashPassword } from '@icosa/tokens/passwords'
import { checkNewPassword } from '../passwords/rules.ts'
import { normaliseEmail } from './email.ts'
import { checkProfile, type ProfileChanges } from './profile.ts'
import * as store from './store.ts'

export type { ProfileChanges } from './profile.ts'
export type { Person } from './store.ts'

type Person = store.Person

export interface NewPerson {
  readonly email: string
  readonly name?: string | undefined
  readonly password?: string | undefined
  /** Whether they have shown that the address is theirs. */
  readonly emailVerified: boolean
  /** Whom they act as on the platform: a tenant of their own if not given. */
  readonly tenant?: string | undefined
  readonly permissions?: readonly string[] | undefined
}

/** Makes an account; `alreadyExists` if the address has one. */
export async function createPerson(db: Db, clock: Clock, person: NewPerson): Promise<Person> {
  return insertPerson(db, clock, await prepare(person))
}

/** Checks a new person and hashes their password: the slow half, to be done before a transaction is opened. */
export async function prepare({ email, name, password, emailVerified, ...grant }: NewPerson): Promise<store.NewRow> {
  const { kept: profile } = checkProfile({ name })
  const address = checkEmail(email)
  if (password !== undefined) checkNewPassword(password, { email: address, name: profile.name })
  const id = `prs_${randomBytes(12).toString('base64url')}`
  const { tenant = `person-${id}`, permissions = ['identity-connect:*'] } = grant
  checkGrant({ tenant, permissions })
  const passwordHash = password === undefined ? null : await hashPassword(password)
  return { id, email: address, emailVerified, passwordHash, tenant, permissions, profile }
}

/** The quick half of making an account. */
export async function insertPerson(db: Db, clock: Clock, row: store.NewRow): Promise<Person> {
  const person = await store.insert(db, row, clock.now())
  if (!person) throw new Failure('alreadyExists', 'This e-mail address has an account: sign in, or reset its password.')
  return person
}

/** The address as it is stored; refuses what is none. */
export function checkEmail(email: string): string {
  return normaliseEmail(email) ?? invalid([{ at: 'email', message: 'is an address such as ada@example.com' }])
}

/** Refuses a tenant or permissions that the platform does not know. Whether the giver may give them is not asked here. */
export function checkGrant(grant: { tenant?: string | undefined; permissions?: readonly string[] | undefined }): void {
  if (grant.tenant !== undefined && !/^[\w.@-]{1,100}$/.test(grant.tenant))
    invalid([{ at: 'tenant', message: 'must be 1 to 100 letters, digits or . @ _ -' }])
  if (grant.permissions?.every(isPattern) === false)
    invalid([{ at: 'permissions', message: "are patterns such as 'identity-connect:*'" }])
}

export function findById(db: ReadingDb, id: string): Promise<Person | undefined> {
  return store.find(db, id)
}

/** Whatever the case of the letters. */
export async function findByEmail(db: ReadingDb, email: string): Promise<Person | undefined> {
  const address = normaliseEmail(email)
  return address === undefined ? undefined : store.findByEmail(db, address)
}

/** Changes the claims that are given; an empty text takes one away. */
export async function updateProfile(db: Db, clock: Clock, id: string, changes: ProfileChanges): Promise<Person> {
  const { kept, removed } = checkProfile(changes)
  return (await store.changeProfile(db, id, kept, removed, clock.now())) ?? notFound('person', id)
}

/** Somebody disabled cannot sign in. Their sessions are the caller's to end. */
export async function setDisabled(db: Db, clock: Clock, id: string, disabled: boolean): Promise<Person> {
  return (await store.setDisabledAt(db, id, disabled ? clock.now() : null)) ?? notFound('person', id)
}

/** Takes passkeys, consents and open links along. Sessions and tokens are the caller's to end. */
export async function deletePerson(db: Db, id: string): Promise<void> {
  if (!(await store.remove(db, id))) notFound('person', id)
}

/** A page of people by address. */
export function listPeople(db: ReadingDb, options: store.ListOptions): Promise<Page<Person>> {
  return store.list(db, options)
}
