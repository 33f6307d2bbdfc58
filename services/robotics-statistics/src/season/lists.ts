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

/** How items of a list are validated, identified and returned. */
export interface ListKind<Item = never> {
  readonly item: Schema
  /** Field of an answer that contains the items; without one, the only item is the answer. */
  readonly envelope?: string
  /** Field with the number of items. */
  readonly count?: string
  /** Fields of a paged answer, and the page number of an empty one. */
  readonly paged?: { readonly total: string; readonly page: string; readonly empty: 0 | 1 }
  /** Identifies an item; duplicates are numbered. */
  keyOf(item: Item): string
  /** Teams by which items can be filtered. */
  teamsOf?(item: Item): readonly (number | null | undefined)[]
  /** Tournament level, for lists that can be filtered by it. */
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
  // Its teams are the participants.
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
    teamsOf: ({ captain, round1, round2, round3, backup }) => [captain, round1, round2, round3, backup],
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

/** Lists of a season, and lists of each event. */
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

/** Scopes of lists: the season, all events together, a district or an event. */
export const ofSeason = ''
export const ofAllEvents = '*'
export const ofDistrict = (code: string) => `@${code.toUpperCase()}`
export const ofEvent = (code: string) => code.toUpperCase()

export const pageSize = 65
