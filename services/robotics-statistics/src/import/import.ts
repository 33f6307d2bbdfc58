import type { Clock, Database } from '@icosa/kernel'
import { saveEvent } from './event.ts'
import type { Source } from './given.ts'
import { saveSeason } from './season.ts'

export interface Imported {
  readonly season: number
  /** Number of events of the season, including those without lists of their own. */
  readonly events: number
  /** Number of changed events. */
  readonly changed: number
  readonly rows: number
  /** Events without a ranking, with their matches that lack score details. */
  readonly unranked: readonly { readonly event: string; readonly unscored: readonly number[] }[]
}

export interface Progress {
  readonly event: string
  readonly nth: number
  readonly rows: number
  readonly unscored: readonly number[]
}

/** Imports a season: first its own lists, then its events, each in its own transaction. */
export async function importSeason(
  database: Database,
  tenant: string,
  source: Source,
  clock: Clock,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Imported> {
  const scope = { tenant, season: source.season }
  const own = database.of(tenant)
  const imported = await source.whole()
  const savedSeason = await own.transaction(async (db) => {
    const season = await saveSeason(db, scope, imported.lists, clock)
    await imported.after?.(db)
    return season
  }, tenant)
  let { rows } = savedSeason
  let nth = 0
  let changed = 0
  const unranked: { event: string; unscored: readonly number[] }[] = []
  for await (const event of source.events()) {
    const { rows: changedRows, unscored } = await own.transaction(async (db) => {
      const saved = await saveEvent(db, scope, event, clock)
      await event.after?.(db)
      return saved
    }, tenant)
    nth++
    if (changedRows > 0) changed++
    rows += changedRows
    if (unscored.length > 0) unranked.push({ event: event.code, unscored })
    onProgress({ event: event.code, nth, rows: changedRows, unscored })
  }
  return { season: source.season, events: savedSeason.events, changed, rows, unranked }
}
