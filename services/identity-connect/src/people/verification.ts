import type { Db } from '@icosa/kernel'
import { removeAllOf as removeConsents } from '../consents/store.ts'
import { redeem, refuseMoreMails, startLink } from '../links/links.ts'
import { removeAllOf as removePasskeys } from '../passkeys/store.ts'
import type { PeopleContext } from './context.ts'
import * as store from './store.ts'

/** Mails a link that shows that the address is theirs; `rateLimited` after three within the hour. */
export async function startVerification(context: PeopleContext, { id, email }: store.Person): Promise<void> {
  const started = await context.transaction((db, jobs) =>
    startLink(context, db, jobs, { purpose: 'verify', email, person: id }),
  )
  if (!started) refuseMoreMails()
}

/** Uses such a link. */
export async function verifyAddress(context: PeopleContext, token: string): Promise<store.Person> {
  return context.transaction(async (db) => {
    const { person } = await redeem(context, db, 'verify', token)
    return store.setVerified(db, person ?? '', context.clock.now()) // a link to verify goes with its person
  })
}

/** Somebody has shown that an address is theirs which has an account. */
export interface Proof {
  readonly person: store.Person
  /** Whether the account was unverified until now: a stranger may have made it. End its sessions, grants and tokens. */
  readonly wasUnverified: boolean
}

/** Anybody can make an account for an address of others: when its owner comes, nothing that was set up may stay. */
export async function clearStrangers(db: Db, { id, emailVerified }: store.Person): Promise<void> {
  if (emailVerified) return
  await removePasskeys(db, id)
  await removeConsents(db, id)
}
