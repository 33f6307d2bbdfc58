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
import { demandFacts, type Given } from './given.ts'
import { desiredOf } from './plan.ts'
import { keptLists, type Scope } from './store.ts'

type Kept = Awaited<ReturnType<typeof keptLists>>

/** Imports what belongs to a season as a whole, in the transaction that it is given. */
export async function saveSeason(
  db: Db,
  scope: Omit<Scope, 'scope'>,
  given: Given,
  clock: Clock,
): Promise<{ readonly rows: number; readonly events: number }> {
  demandFacts(`The season ${scope.season}`, given)
  const at = { ...scope, scope: ofSeason }
  const change = await Change.begin(db, at, clock)
  const kept = await keptLists(db, at, seasonLists)
  for (const list of seasonLists) {
    const items = given[list]
    if (!items || list === 'summary') continue
    // Who takes part in an event is known from the event itself.
    const attending = new Map(kept.get(list)?.items.map(({ key, teams }) => [key, teams]))
    const teamsOf = list === 'events' ? (key: string) => attending.get(key) ?? [] : undefined
    await change.put(list, desiredOf(list, inOrder(list, items), teamsOf), kept.get(list), true)
  }
  await change.put('summary', desiredOf('summary', [summaryOf(given, kept)]), kept.get('summary'), true)
  await rankDistricts(change, scope, (given.districtRanks ?? []) as DistrictRank[])
  const of = <T>(list: ListName) => (given[list] ?? []) as T[]
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
  return { rows: change.rows, events: lengthOf('events', given, kept) }
}

/** Teams and avatars are listed by number. */
function inOrder(list: ListName, items: readonly unknown[]): readonly unknown[] {
  if (list !== 'teams' && list !== 'avatars') return items
  return items.toSorted((one, other) => numberOf(one) - numberOf(other))
}

const numberOf = (item: unknown) => (item as { teamNumber: number }).teamNumber

/** As it was given, or what the lists say: a season without a word about itself still has its counts. */
function summaryOf(given: Given, kept: Kept): SeasonSummary {
  if (given.summary?.[0]) return given.summary[0] as SeasonSummary
  const known = kept.get('summary')?.items[0]
  return {
    ...(known && (JSON.parse(known.content) as SeasonSummary)),
    eventCount: lengthOf('events', given, kept),
    teamCount: lengthOf('teams', given, kept),
  }
}

const lengthOf = (list: ListName, given: Given, kept: Kept) => given[list]?.length ?? kept.get(list)?.items.length ?? 0

/** Rankings of districts that were given stay as they are given. */
async function rankDistricts(
  change: Change,
  scope: Omit<Scope, 'scope'>,
  ranks: readonly DistrictRank[],
): Promise<void> {
  for (const [code, own] of Map.groupBy(ranks, ({ districtCode }) => districtCode)) {
    const at = { ...scope, scope: ofDistrict(code) }
    const kept = (await keptLists(change.db, at, ['districtRanks'])).get('districtRanks')
    await change.put('districtRanks', desiredOf('districtRanks', own), kept, true, at)
  }
  if (change.changed.has('districtRanks')) await touchAll(change, scope, 'districtRanks')
}
