import { expectLink, redeem, refuseMoreMails, startLink } from '../links/links.ts'
import type { Invitation } from '../links/store.ts'
import type { PeopleContext } from './context.ts'
import { checkEmail, checkGrant, prepare } from './people.ts'
import * as store from './store.ts'
import { lineOf } from './text.ts'
import { type Proof, refuseDisabled, takeAddress } from './verification.ts'

export interface NewInvitation extends Invitation {
  readonly email: string
}

/**
 * Mails a link with which somebody makes an account; `rateLimited` after three within the hour. Whether the inviter
 * may give this tenant and these permissions is the caller's to check.
 */
export async function invite(context: PeopleContext, { email, ...invitation }: NewInvitation): Promise<void> {
  checkGrant(invitation)
  const address = checkEmail(email)
  const invitedBy = lineOf(invitation.invitedBy, 254) ?? ''
  const started = await context.transaction((db, jobs) =>
    startLink(context, db, jobs, { purpose: 'invitation', email: address, invitation: { ...invitation, invitedBy } }),
  )
  if (!started) refuseMoreMails()
}

export interface Acceptance {
  readonly name?: string | undefined
  /** Not needed by, and not given to, a verified account that the address has already. */
  readonly password?: string | undefined
}

/** Makes the account, or lets the verified one that the address has act as the invitation says. */
export async function acceptInvitation(context: PeopleContext, token: string, given: Acceptance): Promise<Proof> {
  const { clock } = context
  const { email, invitation } = await expectLink(context, 'invitation', token)
  const { tenant, permissions } = invitation ?? {}
  const row = await prepare({ ...given, email, emailVerified: true, tenant, permissions })
  return context.transaction(async (db) => {
    await redeem(context, db, 'invitation', token)
    const known = await store.lockByEmail(db, email)
    if (!known?.emailVerified) return takeAddress(db, clock, row)
    if (known.disabledAt) refuseDisabled()
    await store.setGrant(db, known.id, { tenant, permissions })
    return { person: await store.setVerified(db, known.id, clock.now()) }
  })
}
