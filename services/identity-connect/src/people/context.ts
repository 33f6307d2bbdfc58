import type { Clock, Database, Job, Platform, Work } from '@icosa/kernel'
import type { Mail } from '../mail/templates.ts'

/** The pages to which mails lead; those with a one-time link get `?token=` added. */
export type PageName = 'verify' | 'reset' | 'invitation' | 'account'

/** What the functions about people work with. Made once, when the node starts. */
export interface PeopleContext {
  /** For statements that must stand whatever happens next, such as the count of a guess. */
  readonly database: Database
  readonly clock: Clock
  /** For writes that belong together, with the mails that they cause. */
  transaction<T>(work: Work<T>): Promise<T>
  /** Turns e-mail and network addresses into keys that cannot be turned back. */
  readonly attemptsKey: Uint8Array
  readonly sendMail: Job<Mail>
  /** The name of the installation, for mails. */
  readonly brand: string
  page(name: PageName): string
}

export interface PeopleOptions extends Pick<PeopleContext, 'sendMail' | 'brand' | 'page'> {
  /** The name of the service, which is also that of its queue. */
  readonly service: string
}

export function peopleContext(
  { database, clock, vault, transaction }: Pick<Platform, 'database' | 'clock' | 'vault' | 'transaction'>,
  { service, sendMail, brand, page }: PeopleOptions,
): PeopleContext {
  return {
    database,
    clock,
    attemptsKey: vault.derive(`${service} attempts`),
    sendMail,
    brand,
    page,
    transaction: (work) => transaction(service, 'icosa', work), // people are the issuer's, not a tenant's
  }
}
