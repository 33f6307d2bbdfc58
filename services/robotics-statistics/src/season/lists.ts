import type { Schema, Static } from '@icosa/contract'
import * as schemas from './contract.ts'

export type SeasonSummary = Static<typeof schemas.Summary>
export type Event = Static<typeof schemas.Event>
export type Team = Static<typeof schemas.Team>
export type Award = Static<typeof schemas.Award>
export type Match = Static<typeof schemas.Match>
export type ScheduledMatch = Static<typeof schemas.ScheduledMatch>
export type MatchScore = Static<typeof schemas.MatchScore>
export type Ranking = Static<typeof schemas.Ranking>
export type Alliance = Static<typeof schemas.Alliance>
export type DistrictRank = Static<typeof schemas.DistrictRank>
export type EventPoints = Static<typeof schemas.EventPoints>

/** What a list is: how its items are checked, told apart and answered. */
export interface ListKind<Item = never> {
  readonly item: Schema
  /** The field of an answer that holds the items; without one the only item is the answer. */
  readonly envelope?: string
  /** The field that counts them. */
  readonly count?: string
  /** The fields of a paged answer, and the number of the page of one that is empty. */
  readonly paged?: { readonly total: string; readonly page: string; readonly empty: 0 | 1 }
  /** Tells items apart; several with the same are numbered. */
  keyOf(item: Item): string
  /** Whom an item concerns. */
  teamsOf?(item: Item): readonly (number | null | undefined)[]
  /** The tournament level of an item, for lists that are asked for one. */
  levelOf?(item: Item): string
}

const paged = { total: 'teamCountTotal', page: 'teamCountPage' } as const
const byLevel = ({ tournamentLevel, matchNumber }: Match | ScheduledMatch) => `${tournamentLevel} ${matchNumber}`
const stations = ({ teams }: Match | ScheduledMatch) => teams.map(({ teamNumber }) => teamNumber)
const own = ({ teamNumber }: { teamNumber?: number | null | undefined }) => [teamNumber]
const levelOf = ({ tournamentLevel }: Match | ScheduledMatch) => tournamentLevel
const number = ({ teamNumber }: { teamNumber: number }) => String(teamNumber)

const kind = <Item>(of: ListKind<Item>): ListKind => of as unknown as ListKind

export const lists = {
  summary: kind<SeasonSummary>({ item: schemas.Summary, keyOf: () => 'summary' }),
  // Its teams are those that take part.
  events: kind<Event>({
    item: schemas.Event,
    envelope: 'Events',
    count: 'eventCount',
    keyOf: ({ code }) => code.toUpperCase(),
  }),
  districts: kind<{ code: string }>({
    item: schemas.District,
    envelope: 'districts',
    count: 'districtCount',
    keyOf: ({ code }) => code.toUpperCase(),
  }),
  teams: kind<Team>({
    item: schemas.Team,
    envelope: 'teams',
    paged: { ...paged, empty: 1 },
    keyOf: number,
    teamsOf: own,
  }),
  avatars: kind<{ teamNumber: number }>({
    item: schemas.Avatar,
    envelope: 'teams',
    paged: { ...paged, empty: 0 },
    keyOf: number,
    teamsOf: own,
  }),
  awardListings: kind<{ awardId: number; eventType?: string | null }>({
    item: schemas.AwardListing,
    envelope: 'awards',
    keyOf: ({ awardId, eventType }) => `${awardId} ${eventType ?? ''}`,
  }),
  awards: kind<Award>({
    item: schemas.Award,
    envelope: 'Awards',
    keyOf: ({ awardId, series, teamNumber, person }) => [awardId, series, teamNumber, person].join(' '),
    teamsOf: own,
  }),
  schedule: kind<ScheduledMatch>({
    item: schemas.ScheduledMatch,
    envelope: 'Schedule',
    keyOf: byLevel,
    teamsOf: stations,
    levelOf,
  }),
  matches: kind<Match>({ item: schemas.Match, envelope: 'Matches', keyOf: byLevel, teamsOf: stations, levelOf }),
  // Their teams are those of the match.
  scores: kind<MatchScore>({
    item: schemas.MatchScore,
    envelope: 'MatchScores',
    keyOf: ({ matchLevel, matchNumber }) => `${matchLevel} ${matchNumber}`,
    levelOf: ({ matchLevel }) => matchLevel,
  }),
  rankings: kind<Ranking>({ item: schemas.Ranking, envelope: 'Rankings', keyOf: number, teamsOf: own }),
  alliances: kind<Alliance>({
    item: schemas.Alliance,
    envelope: 'Alliances',
    count: 'count',
    keyOf: ({ number: nth }) => String(nth),
    teamsOf: (one) => [one.captain, one.round1, one.round2, one.round3, one.backup],
  }),
  districtRanks: kind<DistrictRank>({
    item: schemas.DistrictRank,
    envelope: 'districtRanks',
    paged: { total: 'rankingCountTotal', page: 'rankingCountPage', empty: 0 },
    keyOf: number,
    teamsOf: own,
  }),
  attendance: kind<{ teamNumber: number }>({ item: schemas.Attendance, keyOf: number, teamsOf: own }),
  points: kind<EventPoints>({ item: schemas.EventPoints, envelope: 'points', keyOf: number, teamsOf: own }),
} as const

export type ListName = keyof typeof lists

/** Those of a season as a whole, and those that every event has. */
export const seasonLists = ['summary', 'districts', 'teams', 'avatars', 'awardListings', 'events'] as const
export const eventLists = [
  'attendance',
  'schedule',
  'matches',
  'scores',
  'alliances',
  'rankings',
  'awards',
  'points',
] as const

/** Where a list is: of the season, of a district, of an event, or of all events together. */
export const ofSeason = ''
export const ofAllEvents = '*'
export const ofDistrict = (code: string) => `@${code.toUpperCase()}`
export const ofEvent = (code: string) => code.toUpperCase()

export const pageSize = 65
