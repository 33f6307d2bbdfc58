import { type Clock, type Db, Failure } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { expectLink, redeem, refuseMoreMails, startLink } from '../links/links.ts'
import type { PeopleContext } from './context.ts'
import { insertPerson, prepare } from './people.ts'
import * as store from './store.ts'

/** Mails a verification link; `rateLimited` after three within the hour. */
export async function startVerification(context: PeopleContext, { id, email }: store.Person): Promise<void> {
  const started = await context.transaction((db, jobs) =>
    startLink(context, db, jobs, { purpose: 'verify', email, person: id }),
  )
  if (!started) refuseMoreMails()
}

/** Uses a verification link for the user signed in to the account. */
export async function verifyAddress(context: PeopleContext, token: string, creator: string): Promise<store.Person> {
  return context.transaction(async (db) => {
    const { person } = await redeem(context, db, 'verify', token)
    if (person !== creator) throw new Failure('forbidden', 'This link is for another account: sign in to that one.')
    return store.setVerified(db, creator, context.clock.now()) // exists: its links are deleted with it
  })
}

/** Uses a verification link for anyone else with the mail, who gets a new account. */
export async function claimAddress(context: PeopleContext, token: string, password: string): Promise<ClaimResult> {
  const { email } = await expectLink(context, 'verify', token)
  const row = await prepare({ email, password, emailVerified: true })
  return context.transaction(async (db) => {
    await redeem(context, db, 'verify', token)
    return takeAddress(db, context.clock, row)
  })
}

export interface ClaimResult {
  readonly person: store.Person
  /** The deleted account of an impostor. The caller ends its sessions, grants and tokens. */
  readonly replaced?: string | undefined
}

/**
 * Against account pre-hijacking: anyone can create an unverified account for an address. When the owner of the address proves
 * it, that account is deleted, and the owner gets a new one with another id, so that prepared passwords, passkeys and sessions
 * are useless.
 */
export async function takeAddress(db: Db, clock: Clock, row: store.NewRow): Promise<ClaimResult> {
  const existing = await store.lockByEmail(db, row.email)
  if (existing?.disabledAt) refuseDisabled()
  if (existing && !existing.emailVerified) {
    await store.remove(db, existing.id)
    await revoke(db, existing.id)
  }
  return { person: await insertPerson(db, clock, row), replaced: existing?.id }
}

export function refuseDisabled(): never {
  throw new Failure('forbidden', 'This account is disabled: contact the operator of this service.')
}
