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
import { demandFacts, type GivenEvent, WrongFacts } from './given.ts'
import { desiredOf } from './plan.ts'
import { contentsByKey, contentsOf, type KeptList, keptLists, type Scope } from './store.ts'

type Lists = Map<string, KeptList>

const parsed = <T>(contents: readonly string[]) => contents.map((content) => JSON.parse(content) as T)

export interface SavedEvent {
  /** How many rows changed. */
  readonly rows: number
  /** The matches for whose missing score details the event has no ranking. */
  readonly unscored: readonly number[]
}

/**
 * Imports an event, in the transaction that it is given: what follows from its results (ranking, points, the district's
 * ranking) changes with them.
 */
export async function saveEvent(
  db: Db,
  scope: Omit<Scope, 'scope'>,
  { code, lists: given }: GivenEvent,
  clock: Clock,
): Promise<SavedEvent> {
  demandFacts(`The event ${code} of ${scope.season}`, given)
  const at = { ...scope, scope: ofEvent(code) }
  const change = await Change.begin(db, at, clock)
  const season = await keptLists(db, { ...scope, scope: ofSeason }, ['events'])
  const item = season.get('events')?.items.find(({ key }) => key === at.scope)
  if (!item) throw new WrongFacts(`The event ${code}`, [{ at: code, message: 'is not among the events of the season' }])
  const event = JSON.parse(item.content) as Event
  const kept = await keptLists(db, at, eventLists)
  const facts = factsOf(given as Partial<Record<ListName, unknown[]>>, kept, scope.season, event)
  const teamsOf = new Map(
    [...facts.schedule, ...facts.matches].map((one) => [
      `${one.tournamentLevel} ${one.matchNumber}`,
      one.teams.flatMap(({ teamNumber }) => teamNumber ?? []),
    ]),
  )
  for (const list of eventLists) {
    const isGiven = given[list] !== undefined || (kept.get(list)?.given ?? false)
    if (given[list] === undefined && facts[list].length === 0 && !kept.has(list)) continue
    const teams = list === 'scores' ? (key: string) => teamsOf.get(key) ?? [] : undefined
    await change.put(list, desiredOf(list, facts[list], teams), kept.get(list), isGiven)
  }
  const attending = teamsAt(facts)
  if (attending.join() !== item.teams.join())
    await attend(change, scope, season.get('events') as KeptList, at.scope, attending)
  if (change.changed.has('awards')) await touchAll(change, scope, 'awards')
  if (change.changed.has('points') && event.districtCode) await rankAgain(change, scope, event.districtCode)
  return { rows: change.rows, unscored: facts.unscored }
}

interface Facts extends EventLists {
  readonly unscored: readonly number[]
}

interface EventLists extends Record<(typeof eventLists)[number], readonly unknown[]> {
  readonly schedule: readonly ScheduledMatch[]
  readonly matches: readonly Match[]
  readonly attendance: readonly { readonly teamNumber: number }[]
}

/** What is given, else what there is; and what follows from these, where it was never given. */
function factsOf(given: Partial<Record<ListName, unknown[]>>, kept: Lists, season: number, event: Event): Facts {
  const of = <T>(list: ListName) => (given[list] as T[] | undefined) ?? parsed<T>(keptContents(kept, list))
  const isOurs = (list: ListName) => given[list] === undefined && !(kept.get(list)?.given ?? false)
  const matches = inOrder(of<Match>('matches'), levelOfMatch)
  const schedule = isOurs('schedule') ? matches.map(scheduled) : inOrder(of<ScheduledMatch>('schedule'), levelOfMatch)
  const scores = inOrder(of<MatchScore>('scores'), ({ matchLevel }) => matchLevel)
  const { ranking: rules } = rulesOf(season)
  const unscored = isOurs('rankings') ? matchesWithoutDetails(rules, matches, scores) : []
  const rankings = isOurs('rankings') ? rank(rules, matches, scores, schedule) : of<Ranking>('rankings')
  const alliances = of<Alliance>('alliances')
  const awards = of<Award>('awards')
  const points = pointsOf({ season, event, rankings, alliances, matches, scores, awards })
  const attendance = of<{ teamNumber: number }>('attendance')
  return { attendance, schedule, matches, scores, alliances, rankings, awards, points, unscored }
}

const levelOfMatch = ({ tournamentLevel }: Match | ScheduledMatch) => tournamentLevel

/** Practice, qualification and playoff matches, each by number: files of a folder come in the order of their names. */
function inOrder<T extends { readonly matchNumber: number }>(items: readonly T[], levelOf: (item: T) => Level): T[] {
  const by = (item: T) => levels.indexOf(levelOf(item))
  return items.toSorted((one, other) => by(one) - by(other) || one.matchNumber - other.matchNumber)
}

const keptContents = (kept: Lists, list: ListName) => (kept.get(list)?.items ?? []).map(({ content }) => content)

/** A match as it was scheduled, where only its result is known. */
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

async function attend(
  change: Change,
  scope: Omit<Scope, 'scope'>,
  kept: KeptList,
  code: string,
  teams: readonly number[],
): Promise<void> {
  const desired = kept.items.map(({ modified: _, ...item }) => (item.key === code ? { ...item, teams } : item))
  await change.put('events', desired, kept, kept.given, { ...scope, scope: ofSeason })
}

/** The ranking of a district follows the points of its events, unless it was given. */
async function rankAgain(change: Change, scope: Omit<Scope, 'scope'>, district: string): Promise<void> {
  const at = { ...scope, scope: ofDistrict(district) }
  const kept = (await keptLists(change.db, at, ['districtRanks'])).get('districtRanks')
  if (kept?.given && kept.items.length > 0) return
  const isOurs = ({ districtCode }: { districtCode?: string | null | undefined }) =>
    districtCode?.toUpperCase() === district.toUpperCase()
  const season = { ...scope, scope: ofSeason }
  const events = (await keptLists(change.db, season, ['events'])).get('events')?.items ?? []
  const own = parsed<Event>(events.map(({ content }) => content)).filter(isOurs)
  const points = await contentsOf(
    change.db,
    scope,
    'points',
    own.map(({ code }) => ofEvent(code)),
  )
  const scored = own.map((event) => ({ event, points: parsed<EventPoints>(points.get(ofEvent(event.code)) ?? []) }))
  const played = new Set(scored.flatMap(({ points: all }) => all.map(({ teamNumber }) => String(teamNumber))))
  const teams = parsed<Team>(await contentsByKey(change.db, season, 'teams', [...played]))
  const ranks = rankDistrict(scope.season, district, teams.filter(isOurs), scored)
  if (await change.put('districtRanks', desiredOf('districtRanks', ranks), kept, false, at))
    await touchAll(change, scope, 'districtRanks')
}
