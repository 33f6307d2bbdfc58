import type { Context } from '@icosa/kernel'
import { find } from '../assignments/store.ts'
import type { ContributionRow } from '../contributions/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { contentOf } from './content.ts'
import { fanOut } from './jobs.ts'
import { hasSubscribers, insertEvent } from './store.ts'
import type { EventContent, EventType } from './types.ts'

/** Publishes an event in this transaction, if it has subscribers. */
export async function announce(
  { db, jobs, caller, clock }: Pick<Context<ServiceRuntime>, 'db' | 'jobs' | 'caller' | 'clock'>,
  type: EventType,
  row: ContributionRow,
  more: Pick<EventContent, 'notes' | 'flag'> & { readonly state?: string } = {},
): Promise<void> {
  const { tenant } = caller
  if (!(await hasSubscribers(db, tenant, type))) return
  const { id: contribution, assignment, owner } = row
  const name = (await find(db, tenant, assignment))?.name ?? ''
  const full = { ...contentOf(row, name), ...more }
  // Deletion events contain no text.
  const content =
    type === 'contribution-deleted'
      ? { ...full, headline: '', body: undefined, attribution: '', place: undefined, urlWords: '' }
      : full
  const event = await insertEvent(db, tenant, { type, contribution, assignment, owner, content }, clock.now())
  await jobs.enqueue(fanOut, { event })
}
