import type { Clock, Db } from '@icosa/kernel'
import { pointsOf } from '../points/event.ts'
import { rulesOf } from '../points/rules.ts'
import { rankDistrict } from '../ranking/district.ts'
import { rank } from '../ranking/rank.ts'
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

/**
 * Imports an event, in the transaction that it is given: what follows from its results (ranking, points, the district's
 * ranking) changes with them. Answers how many rows changed.
 */
export async function saveEvent(
  db: Db,
  scope: Omit<Scope, 'scope'>,
  { code, lists: given }: GivenEvent,
  clock: Clock,
): Promise<number> {
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
  return change.rows
}

interface EventLists extends Record<(typeof eventLists)[number], readonly unknown[]> {
  readonly schedule: readonly ScheduledMatch[]
  readonly matches: readonly Match[]
  readonly attendance: readonly { readonly teamNumber: number }[]
}

/** What is given, else what there is; and what follows from these, where it was never given. */
function factsOf(given: Partial<Record<ListName, unknown[]>>, kept: Lists, season: number, event: Event): EventLists {
  const of = <T>(list: ListName) => (given[list] as T[] | undefined) ?? parsed<T>(keptContents(kept, list))
  const isOurs = (list: ListName) => given[list] === undefined && !(kept.get(list)?.given ?? false)
  const matches = of<Match>('matches')
  const schedule = isOurs('schedule') ? matches.map(scheduled) : of<ScheduledMatch>('schedule')
  const scores = of<MatchScore>('scores')
  const rankings = isOurs('rankings')
    ? rank(rulesOf(season).ranking, matches, scores, schedule)
    : of<Ranking>('rankings')
  const alliances = of<Alliance>('alliances')
  const awards = of<Award>('awards')
  const points = pointsOf({ season, event, rankings, alliances, matches, scores, awards })
  const attendance = of<{ teamNumber: number }>('attendance')
  return { attendance, schedule, matches, scores, alliances, rankings, awards, points }
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
