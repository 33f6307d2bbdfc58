import type { Clock, Database } from '@icosa/kernel'
import { saveEvent } from './event.ts'
import type { Source } from './given.ts'
import { saveSeason } from './season.ts'

export interface Imported {
  readonly season: number
  /** How many events the season has, with or without lists of their own. */
  readonly events: number
  /** How many of the events had something new. */
  readonly changed: number
  readonly rows: number
  /** Events without a ranking, and the matches for whose missing score details they have none. */
  readonly unranked: readonly { readonly event: string; readonly unscored: readonly number[] }[]
}

export interface Progress {
  readonly event: string
  readonly nth: number
  readonly rows: number
  readonly unscored: readonly number[]
}

/** Takes a season in: first what belongs to all of it, then its events, each in a transaction of its own. */
export async function importSeason(
  database: Database,
  tenant: string,
  source: Source,
  clock: Clock,
  tell: (progress: Progress) => void = () => {},
): Promise<Imported> {
  const scope = { tenant, season: source.season }
  const own = database.of(tenant)
  const whole = await source.whole()
  const saved = await own.transaction(async (db) => {
    const season = await saveSeason(db, scope, whole.lists, clock)
    await whole.after?.(db)
    return season
  })
  let { rows } = saved
  let nth = 0
  let changed = 0
  const unranked: { event: string; unscored: readonly number[] }[] = []
  for await (const event of source.events()) {
    const { rows: touched, unscored } = await own.transaction(async (db) => {
      const saved = await saveEvent(db, scope, event, clock)
      await event.after?.(db)
      return saved
    })
    nth++
    if (touched > 0) changed++
    rows += touched
    if (unscored.length > 0) unranked.push({ event: event.code, unscored })
    tell({ event: event.code, nth, rows: touched, unscored })
  }
  return { season: source.season, events: saved.events, changed, rows, unranked }
}
