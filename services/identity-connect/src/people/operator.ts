import { type CellVault, type Clock, type Database, notFound, openQueue, transactionOf } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { listInvitations, type OpenInvitation } from '../links/store.ts'
import { mailJob } from '../mail/job.ts'
import { serviceName } from '../names.ts'
import { removeAccount } from '../provider/artifacts/store.ts'
import type { IdentitySettings } from '../settings.ts'
import { peopleContext } from './context.ts'
import { invite, type NewInvitation } from './invitations.ts'
import { findByEmail, listPeople, type Person, setDisabled } from './people.ts'

export interface OperatorContext {
  readonly database: Database
  readonly clock: Clock
  readonly cellVault: CellVault
  readonly settings: IdentitySettings
  /** The public URL of the platform. */
  readonly publicUrl: string
}

/** Enqueues the mail; a worker sends it. */
export async function invitePerson(operator: OperatorContext, invitation: NewInvitation): Promise<void> {
  const { database, clock, cellVault, settings, publicUrl } = operator
  const queue = openQueue({ database, onError: () => {} })
  const context = peopleContext(
    { database, clock, cellVault, transaction: (...work) => transactionOf({ database, queue, clock }, ...work) },
    {
      service: serviceName,
      sendMail: mailJob(settings.mail),
      brand: settings.brand,
      page: (name) => `${publicUrl}/${serviceName}/${name}`,
    },
  )
  await invite(context, invitation)
}

export async function listUsers({ database }: Pick<OperatorContext, 'database'>, tenant?: string): Promise<Person[]> {
  return (await listPeople(database, { limit: 1000, tenant })).items
}

export async function openInvitations(
  { database, clock }: OperatorContext,
  tenant?: string,
): Promise<OpenInvitation[]> {
  return listInvitations(database, clock.now(), { limit: 1000, tenant })
}

/** Disabling signs a user out everywhere, and revokes tokens within a second. Returns the user's tenant. */
export async function disablePerson(
  { database, clock }: OperatorContext,
  email: string,
  disabled: boolean,
): Promise<string> {
  const person = (await findByEmail(database, email)) ?? notFound('person', email)
  await database.transaction(async (db) => {
    await setDisabled(db, clock, person.id, disabled)
    if (!disabled) return
    await removeAccount(db, person.id)
    await revoke(db, person.id)
  }, person.tenant)
  return person.tenant
}
