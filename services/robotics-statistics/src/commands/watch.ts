import type { ReadingDb } from '@icosa/kernel'
import { table } from '@icosa/module'
import { findItems, type Items } from '../answers/store.ts'
import { ofEvent, ofSeason, type Ranking } from '../season/lists.ts'

export interface Watched {
  readonly tenant: string
  readonly season: number
  readonly event: string
}

/** The ranking of an event as it is; empty before its first match, undefined if there is no such event. */
export async function watchedRanking(
  db: ReadingDb,
  { tenant, season, event }: Watched,
): Promise<(Items & { readonly event: string }) | undefined> {
  const scope = ofEvent(event)
  const events = await findItems(db, { tenant, season, scope: ofSeason, list: 'events' })
  if (!events?.items.some(({ key }) => key === scope)) return undefined
  const found = await findItems(db, { tenant, season, scope, list: 'rankings' })
  return { ...(found ?? { version: 0, modified: 0, items: [] }), event: scope }
}

/** As a table, with the time of the last change above it. */
export function shownRanking({ items, modified, event }: Items & { readonly event: string }): string {
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
