import type { Clock, Database, Job, Platform, Work } from '@icosa/kernel'
import type { Mail } from '../mail/templates.ts'

/** Pages linked from mails; `?token=` is appended for one-time links. */
export type PageName = 'verify' | 'reset' | 'invitation' | 'account'

export interface PeopleContext {
  /** For statements that must persist in any case, such as counting a guess. */
  readonly database: Database
  readonly clock: Clock
  /** For atomic writes, including their mails. */
  transaction<T>(work: Work<T>): Promise<T>
  /** HMAC key for e-mail and network addresses. */
  readonly attemptsKey: Uint8Array
  readonly sendMail: Job<Mail>
  /** The name of the installation, for mails. */
  readonly brand: string
  page(name: PageName): string
}

export interface PeopleOptions extends Pick<PeopleContext, 'sendMail' | 'brand' | 'page'> {
  /** Also the name of its queue. */
  readonly service: string
}

export function peopleContext(
  { database, clock, cellVault, transaction }: Pick<Platform, 'database' | 'clock' | 'cellVault' | 'transaction'>,
  { service, sendMail, brand, page }: PeopleOptions,
): PeopleContext {
  return {
    database,
    clock,
    attemptsKey: cellVault.derive(`${service} attempts`),
    sendMail,
    brand,
    page,
    transaction: (work) => transaction(service, 'icosa', work), // users belong to the issuer, not to a tenant
  }
}
