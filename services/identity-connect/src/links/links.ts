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
 * Enqueues a mail with a one-time link in the caller's transaction; older links for the same purpose end. Returns false if
 * the hourly limit is reached. Does the same work whether or not the address has an account.
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

/** For callers that may reveal the limit. */
export function refuseMoreMails(): never {
  throw new Failure(
    'rateLimited',
    'Three such e-mails were sent to this address within the last hour: check the inbox, or try again later.',
    {
      retryAfterSeconds: hourMs / 1000,
    },
  )
}

/**
 * Creates the secret of a link when its mail is sent, so that only its hash is stored. A resent mail has another secret, and
 * both work, since either mail may arrive. Returns undefined if no mail is to be sent.
 */
export async function issueToken(
  db: Db,
  clock: Clock,
  id: string,
): Promise<{ readonly token: string; readonly to: string } | undefined> {
  const link = await store.findOpen(db, id, clock.now())
  const to = link?.purpose === 'reset' ? await recipientOf(db, link.email) : link?.email
  if (to === undefined) return undefined
  const token = randomBytes(32).toString('base64url')
  await store.insertToken(db, id, hashOf(token))
  return { token, to }
}

/** The address stored in the account: a typed one may only look like it. */
async function recipientOf(db: ReadingDb, email: string): Promise<string | undefined> {
  const person = await people.findByEmail(db, email)
  return person && !person.disabledAt ? person.email : undefined
}

export interface OpenLink {
  readonly email: string
  /** The account to be verified. */
  readonly person: string | null
  /** Whether the address has a verified account: accepting an invitation then needs no password. */
  readonly hasAccount: boolean
}

/** For pages shown before a link is used; undefined if it has ended. */
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

/** Finds a link without using it. */
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
