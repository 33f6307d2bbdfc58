import { Failure } from '@icosa/kernel'
import { expectLink, redeem, startLink } from '../links/links.ts'
import type { PeopleContext } from '../people/context.ts'
import { normaliseEmail } from '../people/email.ts'
import * as people from '../people/store.ts'
import { clearStrangers, type Proof } from '../people/verification.ts'
import { hashPassword } from './argon2.ts'
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

/** Uses such a link. It verifies the address, too. The sessions of the person are the caller's to end. */
export async function resetPassword(context: PeopleContext, token: string, password: string): Promise<Proof> {
  const { email } = await expectLink(context, 'reset', token)
  const owner = await people.findByEmail(context.database, email)
  checkNewPassword(password, { email, name: owner?.profile.name })
  const hash = await hashPassword(password)
  return context.transaction(async (db, jobs) => {
    await redeem(context, db, 'reset', token)
    const known = await people.lockByEmail(db, email)
    if (!known) throw new Failure('notFound', 'This account is no more.')
    await clearStrangers(db, known)
    const person = await people.setVerified(db, known.id, context.clock.now())
    await putPassword(context, db, jobs, person, hash)
    return { person: { ...person, hasPassword: true }, wasUnverified: !known.emailVerified }
  })
}
