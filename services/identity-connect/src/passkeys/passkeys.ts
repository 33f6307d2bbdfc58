import { randomBytes } from 'node:crypto'
import { type Db, Failure, invalid, notFound, type ReadingDb } from '@icosa/kernel'
import * as webauthn from '@simplewebauthn/server'
import { notify } from '../mail/notices.ts'
import type { PeopleContext } from '../people/context.ts'
import * as people from '../people/store.ts'
import { lineOf } from '../people/text.ts'
import type { RelyingParty } from './ceremony.ts'
import * as ceremony from './ceremony.ts'
import * as store from './store.ts'

export type { RelyingParty } from './ceremony.ts'
export type { Passkey } from './store.ts'

const maxPasskeys = 50
const allTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Options for the browser to create a passkey. */
export async function registrationOptions(context: PeopleContext, rp: RelyingParty, person: people.Person) {
  const credentials = await store.credentialsOf(context.database, person.id)
  return webauthn.generateRegistrationOptions({
    rpID: rp.id,
    rpName: rp.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.profile.name ?? person.email,
    challenge: await ceremony.newChallenge(context, { purpose: 'register', person: person.id }),
    timeout: ceremony.validMs,
    attestationType: 'none',
    excludeCredentials: credentials.map(({ credentialId: id, transports }) => ({ id, transports })),
    // Discoverable without an e-mail address.
    authenticatorSelection: { residentKey: 'required', userVerification: ceremony.userVerification },
    supportedAlgorithmIDs: ceremony.algorithms,
  })
}

/** Stores a passkey, and notifies the user. `attestation` is the browser's credential as JSON. */
export async function register(
  context: PeopleContext,
  rp: RelyingParty,
  person: people.Person,
  { attestation, name }: { readonly attestation: string; readonly name: string },
): Promise<store.Passkey> {
  const label = checkName(name)
  const credential = ceremony.parseCredential(attestation)
  const purpose = { purpose: 'register', person: person.id } as const
  const expectedChallenge = await ceremony.consumeChallenge(context, credential, purpose)
  const verification = ceremony.hasNoCertificates(credential)
    ? await webauthn
        .verifyRegistrationResponse({
          response: credential.json,
          expectedChallenge,
          expectedOrigin: rp.origin,
          expectedRPID: rp.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: ceremony.algorithms,
        })
        .catch(unverified)
    : undefined
  if (!verification?.verified)
    throw new Failure('invalid', 'This passkey cannot be used here: try again with another one.')
  const { id: credentialId, publicKey, counter, transports: claimed } = verification.registrationInfo.credential
  const transports = allTransports.filter((transport) => Array.isArray(claimed) && claimed.includes(transport))
  const id = `pk_${randomBytes(12).toString('base64url')}`
  const row = {
    id,
    person: person.id,
    credentialId,
    name: label,
    publicKey: Buffer.from(publicKey),
    counter,
    transports,
  }
  return context.transaction(async (db, jobs) => {
    if (!(await people.lock(db, person.id))) notFound('person', person.id)
    if ((await store.list(db, person.id)).length >= maxPasskeys)
      throw new Failure('conflict', `An account has at most ${maxPasskeys} passkeys: delete one first.`)
    const passkey = await store.insert(db, row, context.clock.now())
    if (!passkey) throw new Failure('alreadyExists', 'This passkey is already registered.')
    await notify(context, jobs, person, 'passkeyAdded')
    return passkey
  })
}

/** Options for the browser to offer the user's passkeys. */
export async function authenticationOptions(context: PeopleContext, rp: RelyingParty) {
  return webauthn.generateAuthenticationOptions({
    rpID: rp.id,
    challenge: await ceremony.newChallenge(context, { purpose: 'authenticate', person: null }),
    timeout: ceremony.validMs,
    userVerification: ceremony.userVerification,
  })
}

/** Returns the owner of a passkey; locks by wrong passwords do not apply. `assertion` is the browser's credential as JSON. */
export async function authenticate(
  context: PeopleContext,
  rp: RelyingParty,
  { assertion }: { readonly assertion: string },
): Promise<people.Person> {
  const { database, clock } = context
  const credential = ceremony.parseCredential(assertion)
  const expectedChallenge = await ceremony.consumeChallenge(context, credential, {
    purpose: 'authenticate',
    person: null,
  })
  const stored = await store.findCredential(database, credential.id)
  // The user handle of the authenticator must match the owner.
  if (!stored || credential.userHandle !== Buffer.from(stored.person).toString('base64url')) return refuse()
  const { credentialId: id, publicKey, counter, transports } = stored
  const verification = await webauthn
    .verifyAuthenticationResponse({
      response: credential.json,
      expectedChallenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(publicKey), counter, transports },
    })
    .catch(unverified)
  if (!verification?.verified) return refuse()
  const { newCounter } = verification.authenticationInfo
  if (!(await store.countUse(database, stored.id, newCounter, clock.now()))) return refuse()
  const person = await people.find(database, stored.person)
  if (!person) return refuse()
  if (person.disabledAt)
    throw new Failure('forbidden', 'This account is disabled: contact the operator of this service.', {
      code: 'Disabled',
    })
  return person
}

export function listPasskeys(db: ReadingDb, person: string): Promise<store.Passkey[]> {
  return store.list(db, person)
}

export async function renamePasskey(db: Db, person: string, id: string, name: string): Promise<void> {
  const label = checkName(name)
  const isOwn = (await store.list(db, person)).some((passkey) => passkey.id === id)
  if (!isOwn || !(await store.rename(db, person, id, label))) notFound('passkey', id)
}

/** A user without a password keeps at least one passkey. */
export async function deletePasskey(context: PeopleContext, person: string, id: string): Promise<void> {
  await context.transaction(async (db) => {
    const owner = await people.lock(db, person) // one deletion at a time
    const all = await store.list(db, person)
    if (!all.some((passkey) => passkey.id === id)) notFound('passkey', id)
    if (!owner?.hasPassword && all.length === 1)
      throw new Failure('conflict', 'This is your only way to sign in: choose a password or add a passkey first.')
    await store.remove(db, person, id)
  })
}

function checkName(name: string): string {
  return lineOf(name, 100) ?? invalid([{ at: 'name', message: 'must have 1 to 100 characters on one line' }])
}

/** The library throws for invalid credentials. */
const unverified = () => undefined

function refuse(): never {
  throw new Failure('unauthenticated', 'This passkey was not accepted: try again, or sign in with your password.')
}
