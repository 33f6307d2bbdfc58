import type { RestoreWindow } from '@icosa/kernel'
import { isRetaining, retentionMsOf } from '../configuration/retention.ts'
import type { DatabaseRow } from '../databases/store.ts'
import type { SqlSettings } from '../settings.ts'

/** What decides to which times a database can be restored. */
export type Archived = Pick<
  DatabaseRow,
  'objective' | 'host' | 'hostSince' | 'droppedAt' | 'archivedFrom' | 'archivedTo'
>

/** Undefined if it cannot be restored: it is not archived, not yet or no longer. */
export function windowOf(
  { objective, hostSince, droppedAt, archivedFrom, archivedTo }: Archived,
  settings: SqlSettings,
  now: Date,
): RestoreWindow | undefined {
  if (!isRetaining(settings) || !hostSince || !archivedFrom || !archivedTo) return undefined
  const oldest = now.getTime() - retentionMsOf(objective, settings)
  const from = new Date(Math.max(hostSince.getTime(), archivedFrom.getTime(), oldest))
  const to = droppedAt && droppedAt < archivedTo ? droppedAt : archivedTo
  return from > to ? undefined : { from, to }
}
