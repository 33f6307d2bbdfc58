import { type Clock, type Database, notFound, openQueue, transactionOf, type Vault } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { listInvitations, type OpenInvitation } from '../links/store.ts'
import { mailJob } from '../mail/job.ts'
import { serviceName } from '../names.ts'
import { removeAccount } from '../provider/artifacts/store.ts'
import type { IdentitySettings } from '../settings.ts'
import { peopleContext } from './context.ts'
import { invite, type NewInvitation } from './invitations.ts'
import { findByEmail, listPeople, type Person, setDisabled } from './people.ts'

/** What an operator's command has at hand. */
export interface Workbench {
  readonly database: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly settings: IdentitySettings
  /** The address under which people know the platform. */
  readonly publicUrl: string
}

/** Puts the mail on its way; a worker sends it. */
export async function invitePerson(bench: Workbench, invitation: NewInvitation): Promise<void> {
  const { database, clock, vault, settings, publicUrl } = bench
  const queue = await openQueue({ database, supervise: false, migrate: false, onError: () => {} })
  try {
    const context = peopleContext(
      { database, clock, vault, transaction: (...work) => transactionOf({ database, queue, clock }, ...work) },
      {
        service: serviceName,
        sendMail: mailJob(settings.mail),
        brand: settings.brand,
        page: (name) => `${publicUrl}/${serviceName}/${name}`,
      },
    )
    await invite(context, invitation)
  } finally {
    await queue.close()
  }
}

export async function everybody({ database }: Pick<Workbench, 'database'>, tenant?: string): Promise<Person[]> {
  return (await listPeople(database, { limit: 1000, tenant })).items
}

/** Who was invited and has not accepted yet. */
export async function openInvitations({ database, clock }: Workbench, tenant?: string): Promise<OpenInvitation[]> {
  return listInvitations(database, clock.now(), { limit: 1000, tenant })
}

/** A disabled person is signed out everywhere, and their tokens are refused within a second. Returns their tenant. */
export async function disablePerson({ database, clock }: Workbench, email: string, disabled: boolean): Promise<string> {
  const person = (await findByEmail(database, email)) ?? notFound('person', email)
  await database.transaction(async (db) => {
    await setDisabled(db, clock, person.id, disabled)
    if (!disabled) return
    await removeAccount(db, person.id)
    await revoke(db, person.id)
  })
  return person.tenant
}
