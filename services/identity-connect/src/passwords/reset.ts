import { Failure } from '@icosa/kernel'
import { expectLink, redeem, startLink } from '../links/links.ts'
import type { PeopleContext } from '../people/context.ts'
import { normalizeEmail } from '../people/email.ts'
import { prepare } from '../people/people.ts'
import * as people from '../people/store.ts'
import { type ClaimResult, takeAddress } from '../people/verification.ts'
import { putPassword } from './passwords.ts'
import { checkNewPassword } from './rules.ts'

/**
 * Mails a reset link, if the address has an account. The account is looked up only when the mail is sent, so that callers
 * cannot tell whether it exists; nor do they learn that the hourly limit is reached.
 */
export async function startReset(context: PeopleContext, email: string): Promise<void> {
  const address = normalizeEmail(email)
  if (address === undefined) return
  await context.transaction((db, jobs) => startLink(context, db, jobs, { purpose: 'reset', email: address }))
}

/**
 * Uses a reset link. An unverified account may be an impostor's, so the owner gets a new one. The caller ends the user's
 * sessions.
 */
export async function resetPassword(context: PeopleContext, token: string, password: string): Promise<ClaimResult> {
  const { email: requested } = await expectLink(context, 'reset', token)
  const owner = await people.findByEmail(context.database, requested)
  const email = owner?.email ?? requested
  checkNewPassword(password, { email, name: owner?.profile.name })
  const row = await prepare({ email, password, emailVerified: true })
  return context.transaction(async (db, jobs) => {
    await redeem(context, db, 'reset', token)
    const person = await people.lockByEmail(db, email)
    if (!person) throw new Failure('notFound', 'This account no longer exists.')
    if (!person.emailVerified) return takeAddress(db, context.clock, row)
    await putPassword(context, db, jobs, person, row.passwordHash)
    return { person: { ...person, hasPassword: true } }
  })
}
