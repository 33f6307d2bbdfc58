import type { Clock, Database } from '@icosa/kernel'
import { saveEvent } from './event.ts'
import type { Source } from './given.ts'
import { saveSeason } from './season.ts'

export interface Imported {
  readonly season: number
  readonly events: number
  /** How many of the events had something new. */
  readonly changed: number
  readonly rows: number
}

export interface Progress {
  readonly event: string
  readonly nth: number
  readonly rows: number
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
  let rows = await own.transaction(async (db) => {
    const saved = await saveSeason(db, scope, whole.lists, clock)
    await whole.after?.(db)
    return saved
  })
  let events = 0
  let changed = 0
  for await (const event of source.events()) {
    const touched = await own.transaction(async (db) => {
      const saved = await saveEvent(db, scope, event, clock)
      await event.after?.(db)
      return saved
    })
    events++
    if (touched > 0) changed++
    rows += touched
    tell({ event: event.code, nth: events, rows: touched })
  }
  return { season: source.season, events, changed, rows }
}
