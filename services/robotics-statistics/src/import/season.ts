import type { Clock, Db } from '@icosa/kernel'
import {
  type DistrictRank,
  type Event,
  type ListName,
  ofDistrict,
  ofEvent,
  ofSeason,
  type SeasonSummary,
  seasonLists,
  type Team,
} from '../season/lists.ts'
import { Change, touchAll } from './change.ts'
import { type Given, validateLists } from './given.ts'
import { desiredOf } from './plan.ts'
import { findLists, type Scope } from './store.ts'

type StoredLists = Awaited<ReturnType<typeof findLists>>

/** Imports the lists of a season, without its events, in the caller's transaction. */
export async function saveSeason(
  db: Db,
  scope: Omit<Scope, 'scope'>,
  imported: Given,
  clock: Clock,
): Promise<{ readonly rows: number; readonly events: number }> {
  validateLists(`The season ${scope.season}`, imported)
  const at = { ...scope, scope: ofSeason }
  const change = await Change.begin(db, at, clock)
  const stored = await findLists(db, at, seasonLists)
  for (const list of seasonLists) {
    const items = imported[list]
    if (!items || list === 'summary') continue
    // The teams of an event are imported with the event.
    const attending = new Map(stored.get(list)?.items.map(({ key, teams }) => [key, teams]))
    const teamsOf = list === 'events' ? (key: string) => attending.get(key) ?? [] : undefined
    await change.put(list, desiredOf(list, inOrder(list, items), teamsOf), stored.get(list), true)
  }
  await change.put('summary', desiredOf('summary', [summaryOf(imported, stored)]), stored.get('summary'), true)
  await rankDistricts(change, scope, (imported.districtRanks ?? []) as DistrictRank[])
  const of = <T>(list: ListName) => (imported[list] ?? []) as T[]
  const events = of<Event>('events')
  await change.open(
    'attendance',
    events.map(({ code }) => ofEvent(code)),
  )
  const districts = [
    ...of<{ code: string }>('districts').map(({ code }) => code),
    ...[...events, ...of<Team>('teams')].flatMap(({ districtCode }) => districtCode || []),
  ]
  await change.open('districtRanks', [...new Set(districts.map(ofDistrict))])
  return { rows: change.rows, events: lengthOf('events', imported, stored) }
}

/** Teams and avatars are listed by number. */
function inOrder(list: ListName, items: readonly unknown[]): readonly unknown[] {
  if (list !== 'teams' && list !== 'avatars') return items
  return items.toSorted((a, b) => numberOf(a) - numberOf(b))
}

const numberOf = (item: unknown) => (item as { teamNumber: number }).teamNumber

/** Returns the imported summary, or one with counts of the lists. */
function summaryOf(imported: Given, stored: StoredLists): SeasonSummary {
  if (imported.summary?.[0]) return imported.summary[0] as SeasonSummary
  const previous = stored.get('summary')?.items[0]
  return {
    ...(previous && (JSON.parse(previous.content) as SeasonSummary)),
    eventCount: lengthOf('events', imported, stored),
    teamCount: lengthOf('teams', imported, stored),
  }
}

const lengthOf = (list: ListName, imported: Given, stored: StoredLists) =>
  imported[list]?.length ?? stored.get(list)?.items.length ?? 0

/** Stores imported district rankings, which are never recalculated. */
async function rankDistricts(
  change: Change,
  scope: Omit<Scope, 'scope'>,
  ranks: readonly DistrictRank[],
): Promise<void> {
  for (const [code, own] of Map.groupBy(ranks, ({ districtCode }) => districtCode)) {
    const at = { ...scope, scope: ofDistrict(code) }
    const stored = (await findLists(change.db, at, ['districtRanks'])).get('districtRanks')
    await change.put('districtRanks', desiredOf('districtRanks', own), stored, true, at)
  }
  if (change.changed.has('districtRanks')) await touchAll(change, scope, 'districtRanks')
}
