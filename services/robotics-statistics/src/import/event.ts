import type { Clock, Db } from '@icosa/kernel'
import { pointsOf } from '../points/event.ts'
import { rulesOf } from '../points/rules.ts'
import { rankDistrict } from '../ranking/district.ts'
import { matchesWithoutDetails, rank } from '../ranking/rank.ts'
import { type Level, levels } from '../season/contract.ts'
import {
  type Alliance,
  type Award,
  type Event,
  type EventPoints,
  eventLists,
  type ListName,
  type Match,
  type MatchScore,
  ofDistrict,
  ofEvent,
  ofSeason,
  type Ranking,
  type ScheduledMatch,
  type Team,
} from '../season/lists.ts'
import { Change, touchAll } from './change.ts'
import { type GivenEvent, InvalidLists, validateLists } from './given.ts'
import { desiredOf } from './plan.ts'
import { contentsByKey, contentsOf, findLists, type Scope, type StoredList } from './store.ts'

type StoredLists = Map<string, StoredList>

const parsed = <T>(contents: readonly string[]) => contents.map((content) => JSON.parse(content) as T)

export interface SavedEvent {
  /** Number of changed rows. */
  readonly rows: number
  /** Matches without score details, which prevent a ranking. */
  readonly unscored: readonly number[]
}

/**
 * Imports an event in the caller's transaction, and updates everything derived from its results: ranking, points and
 * the district's ranking.
 */
export async function saveEvent(
  db: Db,
  scope: Omit<Scope, 'scope'>,
  { code, lists: imported }: GivenEvent,
  clock: Clock,
): Promise<SavedEvent> {
  validateLists(`The event ${code} of ${scope.season}`, imported)
  const at = { ...scope, scope: ofEvent(code) }
  const change = await Change.begin(db, at, clock)
  const season = await findLists(db, { ...scope, scope: ofSeason }, ['events'])
  const item = season.get('events')?.items.find(({ key }) => key === at.scope)
  if (!item)
    throw new InvalidLists(`The event ${code}`, [{ at: code, message: 'is not among the events of the season' }])
  const event = JSON.parse(item.content) as Event
  const stored = await findLists(db, at, eventLists)
  const complete = completeLists(imported as Partial<Record<ListName, unknown[]>>, stored, scope.season, event)
  const teamsOf = new Map(
    [...complete.schedule, ...complete.matches].map(({ tournamentLevel, matchNumber, teams }) => [
      `${tournamentLevel} ${matchNumber}`,
      teams.flatMap(({ teamNumber }) => teamNumber ?? []),
    ]),
  )
  for (const list of eventLists) {
    const isImported = imported[list] !== undefined || (stored.get(list)?.given ?? false)
    if (imported[list] === undefined && complete[list].length === 0 && !stored.has(list)) continue
    const teams = list === 'scores' ? (key: string) => teamsOf.get(key) ?? [] : undefined
    await change.put(list, desiredOf(list, complete[list], teams), stored.get(list), isImported)
  }
  const attending = teamsAt(complete)
  if (attending.join() !== item.teams.join())
    await updateAttendance(change, scope, season.get('events') as StoredList, at.scope, attending)
  if (change.changed.has('awards')) await touchAll(change, scope, 'awards')
  if (change.changed.has('points') && event.districtCode) await updateDistrictRanks(change, scope, event.districtCode)
  return { rows: change.rows, unscored: complete.unscored }
}

interface CompleteLists extends EventLists {
  readonly unscored: readonly number[]
}

interface EventLists extends Record<(typeof eventLists)[number], readonly unknown[]> {
  readonly schedule: readonly ScheduledMatch[]
  readonly matches: readonly Match[]
  readonly attendance: readonly { readonly teamNumber: number }[]
}

/** Completes imported lists by stored ones, and by derived ones that were never imported. */
function completeLists(
  imported: Partial<Record<ListName, unknown[]>>,
  stored: StoredLists,
  season: number,
  event: Event,
): CompleteLists {
  const of = <T>(list: ListName) => (imported[list] as T[] | undefined) ?? parsed<T>(contentsIn(stored, list))
  const isDerived = (list: ListName) => imported[list] === undefined && !(stored.get(list)?.given ?? false)
  const matches = inOrder(of<Match>('matches'), levelOfMatch)
  const schedule = isDerived('schedule')
    ? matches.map(scheduled)
    : inOrder(of<ScheduledMatch>('schedule'), levelOfMatch)
  const scores = inOrder(of<MatchScore>('scores'), ({ matchLevel }) => matchLevel)
  const { ranking: rules } = rulesOf(season)
  const unscored = isDerived('rankings') ? matchesWithoutDetails(rules, matches, scores) : []
  const rankings = isDerived('rankings') ? rank(rules, matches, scores, schedule) : of<Ranking>('rankings')
  const alliances = of<Alliance>('alliances')
  const awards = of<Award>('awards')
  const points = pointsOf({ season, event, rankings, alliances, matches, scores, awards })
  const attendance = of<{ teamNumber: number }>('attendance')
  return { attendance, schedule, matches, scores, alliances, rankings, awards, points, unscored }
}

const levelOfMatch = ({ tournamentLevel }: Match | ScheduledMatch) => tournamentLevel

/** Sorts matches by level and number: the files of a folder are read in name order. */
function inOrder<T extends { readonly matchNumber: number }>(items: readonly T[], levelOf: (item: T) => Level): T[] {
  const rankOf = (item: T) => levels.indexOf(levelOf(item))
  return items.toSorted((a, b) => rankOf(a) - rankOf(b) || a.matchNumber - b.matchNumber)
}

const contentsIn = (stored: StoredLists, list: ListName) =>
  (stored.get(list)?.items ?? []).map(({ content }) => content)

/** Derives a scheduled match from its result. */
function scheduled({
  description,
  tournamentLevel,
  matchNumber,
  autoStartTime,
  actualStartTime,
  teams,
}: Match): ScheduledMatch {
  return {
    field: 'Primary',
    tournamentLevel,
    description: description ?? null,
    startTime: autoStartTime ?? actualStartTime ?? null,
    matchNumber,
    teams: teams.map(({ teamNumber, station }) => ({ teamNumber, station, surrogate: false })),
  }
}

function teamsAt({ attendance, schedule, matches }: EventLists): number[] {
  const inMatches = [...schedule, ...matches].flatMap(({ teams }) =>
    teams.flatMap(({ teamNumber }) => teamNumber ?? []),
  )
  return [...new Set([...attendance.map(({ teamNumber }) => teamNumber), ...inMatches])].sort((a, b) => a - b)
}

async function updateAttendance(
  change: Change,
  scope: Omit<Scope, 'scope'>,
  stored: StoredList,
  code: string,
  teams: readonly number[],
): Promise<void> {
  const desired = stored.items.map(({ modified: _, ...item }) => (item.key === code ? { ...item, teams } : item))
  await change.put('events', desired, stored, stored.given, { ...scope, scope: ofSeason })
}

/** Updates a district's ranking from the points of its events, unless a ranking was imported. */
async function updateDistrictRanks(change: Change, scope: Omit<Scope, 'scope'>, district: string): Promise<void> {
  const at = { ...scope, scope: ofDistrict(district) }
  const stored = (await findLists(change.db, at, ['districtRanks'])).get('districtRanks')
  if (stored?.given && stored.items.length > 0) return
  const isOfDistrict = ({ districtCode }: { districtCode?: string | null | undefined }) =>
    districtCode?.toUpperCase() === district.toUpperCase()
  const season = { ...scope, scope: ofSeason }
  const events = (await findLists(change.db, season, ['events'])).get('events')?.items ?? []
  const own = parsed<Event>(events.map(({ content }) => content)).filter(isOfDistrict)
  const points = await contentsOf(
    change.db,
    scope,
    'points',
    own.map(({ code }) => ofEvent(code)),
  )
  const scored = own.map((event) => ({ event, points: parsed<EventPoints>(points.get(ofEvent(event.code)) ?? []) }))
  const played = new Set(scored.flatMap(({ points: all }) => all.map(({ teamNumber }) => String(teamNumber))))
  const teams = parsed<Team>(await contentsByKey(change.db, season, 'teams', [...played]))
  const ranks = rankDistrict(scope.season, district, teams.filter(isOfDistrict), scored)
  if (await change.put('districtRanks', desiredOf('districtRanks', ranks), stored, false, at))
    await touchAll(change, scope, 'districtRanks')
}
