import type { Clock, Db } from '@icosa/kernel'
import {
  type DistrictRank,
  type ListName,
  ofDistrict,
  ofEvent,
  ofSeason,
  type SeasonSummary,
  seasonLists,
} from '../season/lists.ts'
import { Change, touchAll } from './change.ts'
import { demandFacts, type Given } from './given.ts'
import { desiredOf } from './plan.ts'
import { keptLists, type Scope } from './store.ts'

/** Imports what belongs to a season as a whole, in the transaction that it is given. Answers how many rows changed. */
export async function saveSeason(db: Db, scope: Omit<Scope, 'scope'>, given: Given, clock: Clock): Promise<number> {
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
  const codesOf = (list: ListName) => ((given[list] ?? []) as { code: string }[]).map(({ code }) => code)
  await change.open('attendance', codesOf('events').map(ofEvent))
  await change.open('districtRanks', codesOf('districts').map(ofDistrict))
  return change.rows
}

/** Teams and avatars are listed by number. */
function inOrder(list: ListName, items: readonly unknown[]): readonly unknown[] {
  if (list !== 'teams' && list !== 'avatars') return items
  return items.toSorted((one, other) => numberOf(one) - numberOf(other))
}

const numberOf = (item: unknown) => (item as { teamNumber: number }).teamNumber

/** As it was given, or what the lists say: a season without a word about itself still has its counts. */
function summaryOf(given: Given, kept: Awaited<ReturnType<typeof keptLists>>): SeasonSummary {
  if (given.summary?.[0]) return given.summary[0] as SeasonSummary
  const known = kept.get('summary')?.items[0]
  const lengthOf = (list: ListName) => given[list]?.length ?? kept.get(list)?.items.length ?? 0
  return {
    ...(known && (JSON.parse(known.content) as SeasonSummary)),
    eventCount: lengthOf('events'),
    teamCount: lengthOf('teams'),
  }
}

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
