import { expectLink, redeem, refuseMoreMails, startLink } from '../links/links.ts'
import type { Invitation } from '../links/store.ts'
import type { PeopleContext } from './context.ts'
import { checkEmail, checkGrant, prepare } from './people.ts'
import * as store from './store.ts'
import { lineOf } from './text.ts'
import { type ClaimResult, refuseDisabled, takeAddress } from './verification.ts'

export interface NewInvitation extends Invitation {
  readonly email: string
}

/**
 * Mails a sign-up link; `rateLimited` after three within the hour. The caller checks that the inviter may grant the tenant and
 * permissions.
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
  /** Ignored if the address already has a verified account. */
  readonly password?: string | undefined
}

/** Creates the account, or grants the tenant and permissions to an existing verified one. */
export async function acceptInvitation(
  context: PeopleContext,
  token: string,
  acceptance: Acceptance,
): Promise<ClaimResult> {
  const { clock } = context
  const { email, invitation } = await expectLink(context, 'invitation', token)
  const { tenant, permissions } = invitation ?? {}
  const row = await prepare({ ...acceptance, email, emailVerified: true, tenant, permissions })
  return context.transaction(async (db) => {
    await redeem(context, db, 'invitation', token)
    const existing = await store.lockByEmail(db, email)
    if (!existing?.emailVerified) return takeAddress(db, clock, row)
    if (existing.disabledAt) refuseDisabled()
    await store.setGrant(db, existing.id, { tenant, permissions })
    return { person: await store.setVerified(db, existing.id, clock.now()) }
  })
}
