import type { ReadingDb } from '@icosa/kernel'
import { table } from '@icosa/module'
import { findItems, type Items } from '../answers/store.ts'
import { ofEvent, ofSeason, type Ranking } from '../season/lists.ts'

export interface WatchedEvent {
  readonly tenant: string
  readonly season: number
  readonly event: string
}

/** Returns the current ranking of an event: empty before its first match, undefined if there is no such event. */
export async function findRanking(
  db: ReadingDb,
  { tenant, season, event }: WatchedEvent,
): Promise<(Items & { readonly event: string }) | undefined> {
  const scope = ofEvent(event)
  const events = await findItems(db, { tenant, season, scope: ofSeason, list: 'events' })
  if (!events?.items.some(({ key }) => key === scope)) return undefined
  const rankings = await findItems(db, { tenant, season, scope, list: 'rankings' })
  return { ...(rankings ?? { version: 0, modified: 0, items: [] }), event: scope }
}

/** Formats a ranking as a table below the time of its last change. */
export function rankingTable({ items, modified, event }: Items & { readonly event: string }): string {
  if (items.length === 0) return `${event}: nothing has been played yet.`
  const rows = items.map(({ content }) => JSON.parse(content) as Ranking)
  const cells = rows.map((row) => [
    String(row.rank),
    String(row.teamNumber),
    Number(row.sortOrder1 ?? 0).toFixed(2),
    `${row.wins ?? 0}-${row.losses ?? 0}-${row.ties ?? 0}`,
    String(row.matchesPlayed ?? ''),
  ])
  const at = new Date(modified * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  return `${event}, ${at} UTC\n${table(['rank', 'team', 'score', 'record', 'played'], cells)}\n`
}
