import { type Clock, type Db, Failure } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { expectLink, redeem, refuseMoreMails, startLink } from '../links/links.ts'
import type { PeopleContext } from './context.ts'
import { insertPerson, prepare } from './people.ts'
import * as store from './store.ts'

/** Mails a link that shows that the address is theirs; `rateLimited` after three within the hour. */
export async function startVerification(context: PeopleContext, { id, email }: store.Person): Promise<void> {
  const started = await context.transaction((db, jobs) =>
    startLink(context, db, jobs, { purpose: 'verify', email, person: id }),
  )
  if (!started) refuseMoreMails()
}

/** Uses such a link for whoever made the account: they are signed in to it. */
export async function verifyAddress(context: PeopleContext, token: string, maker: string): Promise<store.Person> {
  return context.transaction(async (db) => {
    const { person } = await redeem(context, db, 'verify', token)
    if (person !== maker) throw new Failure('forbidden', 'This link is for another account: sign in to that one.')
    return store.setVerified(db, maker, context.clock.now()) // a link to verify goes with its person
  })
}

/** Uses such a link for whoever did not make the account, or cannot show that they did: they get one of their own. */
export async function claimAddress(context: PeopleContext, token: string, password: string): Promise<Proof> {
  const { email } = await expectLink(context, 'verify', token)
  const row = await prepare({ email, password, emailVerified: true })
  return context.transaction(async (db) => {
    await redeem(context, db, 'verify', token)
    return takeAddress(db, context.clock, row)
  })
}

/** Somebody has shown that an address is theirs. */
export interface Proof {
  readonly person: store.Person
  /** The account of a stranger that was deleted for it. Its sessions, grants and tokens are the caller's to end. */
  readonly stranger?: string | undefined
}

/**
 * Anybody can make an account for an address of others. When its owner comes, it is deleted and the owner gets another,
 * with another id: a password, a passkey or a session that somebody prepared, or is preparing at this moment, leads nowhere.
 */
export async function takeAddress(db: Db, clock: Clock, row: store.NewRow): Promise<Proof> {
  const known = await store.lockByEmail(db, row.email)
  if (known?.disabledAt) refuseDisabled()
  if (known && !known.emailVerified) {
    await store.remove(db, known.id)
    await revoke(db, known.id)
  }
  return { person: await insertPerson(db, clock, row), stranger: known?.id }
}

export function refuseDisabled(): never {
  throw new Failure('forbidden', 'This account is disabled: ask the people who run this service.')
}
