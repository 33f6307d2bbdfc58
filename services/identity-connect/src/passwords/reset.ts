import { Failure } from '@icosa/kernel'
import { expectLink, redeem, startLink } from '../links/links.ts'
import type { PeopleContext } from '../people/context.ts'
import { normaliseEmail } from '../people/email.ts'
import { prepare } from '../people/people.ts'
import * as people from '../people/store.ts'
import { type Proof, takeAddress } from '../people/verification.ts'
import { putPassword } from './passwords.ts'
import { checkNewPassword } from './rules.ts'

/**
 * Mails a link that sets another password, if the address has an account. Whether it has one is looked up only when
 * the mail is sent, so nobody can tell from here; nor is it told that the address has had its three mails of the hour.
 */
export async function startReset(context: PeopleContext, email: string): Promise<void> {
  const address = normaliseEmail(email)
  if (address === undefined) return
  await context.transaction((db, jobs) => startLink(context, db, jobs, { purpose: 'reset', email: address }))
}

/**
 * Uses such a link. An account that is not verified may be a stranger's: its owner gets one of their own. The sessions of
 * the person are the caller's to end.
 */
export async function resetPassword(context: PeopleContext, token: string, password: string): Promise<Proof> {
  const { email: typed } = await expectLink(context, 'reset', token)
  const owner = await people.findByEmail(context.database, typed)
  const email = owner?.email ?? typed
  checkNewPassword(password, { email, name: owner?.profile.name })
  const row = await prepare({ email, password, emailVerified: true })
  return context.transaction(async (db, jobs) => {
    await redeem(context, db, 'reset', token)
    const known = await people.lockByEmail(db, email)
    if (!known) throw new Failure('notFound', 'This account no longer exists.')
    if (!known.emailVerified) return takeAddress(db, context.clock, row)
    await putPassword(context, db, jobs, known, row.passwordHash)
    return { person: { ...known, hasPassword: true } }
  })
}
