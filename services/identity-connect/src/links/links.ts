import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Clock, type Db, Failure, type JobsOf, lockName, type ReadingDb } from '@icosa/kernel'
import type { PeopleContext } from '../people/context.ts'
import * as people from '../people/store.ts'
import * as store from './store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const validMs = { verify: 24 * hourMs, reset: 30 * minuteMs, invitation: 7 * 24 * hourMs }
const mailsPerHour = 3

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Puts a mail with a one-time link on its way, in the caller's transaction; older links for the same end. False if
 * the address has had its mails for this hour. Does the same work whether or not anybody has the address.
 */
export async function startLink(
  { clock, sendMail, brand, page }: PeopleContext,
  db: Db,
  jobs: JobsOf,
  link: store.NewLink,
): Promise<boolean> {
  const { purpose, email } = link
  const now = clock.now()
  await lockName(db, `identity-connect ${purpose} ${email.toLowerCase()}`)
  const recent = await store.countSince(db, purpose, email, new Date(now.getTime() - hourMs))
  if (recent >= mailsPerHour) return false
  await store.endOpen(db, link, now)
  const id = randomUUID()
  await store.insert(db, id, link, now, new Date(now.getTime() + validMs[purpose]))
  const invitedBy = link.invitation?.invitedBy
  await jobs.enqueue(sendMail, { id: randomUUID(), template: purpose, brand, page: page(purpose), link: id, invitedBy })
  return true
}

/** For callers who may tell: the limit was reached. */
export function refuseMoreMails(): never {
  throw new Failure(
    'rateLimited',
    'Three such e-mails went to this address within the last hour: check the inbox, or try again later.',
    {
      retryAfterSeconds: hourMs / 1000,
    },
  )
}

/**
 * Makes the secret of a link when its mail is sent, so that only its hash is ever stored. A mail that is sent again
 * carries another secret, and both work: nobody knows which of the two mails arrives. Undefined if nobody is to get it.
 */
export async function issueToken(
  db: Db,
  clock: Clock,
  id: string,
): Promise<{ readonly token: string; readonly to: string } | undefined> {
  const link = await store.findOpen(db, id, clock.now())
  const to = link?.purpose === 'reset' ? await holderOf(db, link.email) : link?.email
  if (to === undefined) return undefined
  const token = randomBytes(32).toString('base64url')
  await store.insertToken(db, id, hashOf(token))
  return { token, to }
}

/** The address as it stands in the account: what somebody typed may only look like it. */
async function holderOf(db: ReadingDb, email: string): Promise<string | undefined> {
  const person = await people.findByEmail(db, email)
  return person && !person.disabledAt ? person.email : undefined
}

export interface OpenLink {
  readonly email: string
  /** Whose address is to be verified. */
  readonly person: string | null
  /** Whether the address has an account that is verified: who accepts an invitation then needs no password. */
  readonly hasAccount: boolean
}

/** What a page shows before the link is used; undefined if it cannot be used any more. */
export async function readLink(
  { database, clock }: PeopleContext,
  purpose: store.Purpose,
  token: string,
): Promise<OpenLink | undefined> {
  const link = await store.findByToken(database, purpose, hashOf(token), clock.now())
  if (!link) return undefined
  const person = await people.findByEmail(database, link.email)
  return { email: link.email, person: link.person, hasAccount: person?.emailVerified ?? false }
}

/** The link of a token, without using it. */
export async function expectLink(context: PeopleContext, purpose: store.Purpose, token: string): Promise<store.Link> {
  return (await store.findByToken(context.database, purpose, hashOf(token), context.clock.now())) ?? refuse()
}

/** Uses a link, once. */
export async function redeem(
  { clock }: PeopleContext,
  db: Db,
  purpose: store.Purpose,
  token: string,
): Promise<store.Link> {
  return (await store.endByToken(db, purpose, hashOf(token), clock.now())) ?? refuse()
}

function refuse(): never {
  throw new Failure('invalid', 'This link has already been used or has expired: ask for a new one.', {
    code: 'LinkEnded',
  })
}
