import { named, type ObjectSchema, oneOf, type Properties, Type } from '@icosa/contract'

// Items of a season, as imported and returned. Unknown fields are stored and returned, too: the original adds some every
// year.
const open = <P extends Properties>(title: string, properties: P): ObjectSchema<P> =>
  Object.assign(named(title, properties), { additionalProperties: true })

const { Optional, Nullable } = Type
const whole = Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })
const words = Optional(Nullable(Type.String({ maxLength: 20_000 })))
const count = Optional(Nullable(whole))
const amount = Optional(Nullable(Type.Number()))
const flag = Optional(Nullable(Type.Boolean()))
const anything = Optional(Type.Unknown())
export const teamNumber = Type.Integer({ minimum: 0, maximum: 999_999 })
const eventCode = Type.String({ pattern: '^[A-Za-z0-9_-]{3,20}$' })
const districtCode = Type.String({ pattern: '^[A-Za-z0-9_-]{1,20}$' })

export const levels = ['Practice', 'Qualification', 'Playoff'] as const
export type Level = (typeof levels)[number]
const level = oneOf(...levels)

export const Summary = open('SeasonSummary', {
  eventCount: count,
  gameName: words,
  kickoff: words,
  rookieStart: count,
  teamCount: count,
  frcChampionship: words,
  frcChampionships: Optional(
    Nullable(Type.Array(open('Championship', { name: words, startDate: words, location: words }))),
  ),
})

export const Event = open('Event', {
  code: eventCode,
  divisionCode: words,
  name: words,
  type: Type.String({ maxLength: 60 }),
  districtCode: words,
  venue: words,
  address: words,
  city: words,
  stateprov: words,
  country: words,
  dateStart: words,
  dateEnd: words,
  timezone: words,
  website: words,
  webcasts: anything,
  announcements: anything,
  weekNumber: count,
  allianceCount: words,
})

export const District = open('District', { code: districtCode, name: words })

export const Team = open('Team', {
  teamNumber,
  nameFull: words,
  nameShort: words,
  schoolName: words,
  city: words,
  stateProv: words,
  country: words,
  website: words,
  rookieYear: count,
  robotName: words,
  districtCode: words,
  homeCMP: words,
})

export const Avatar = open('Avatar', {
  teamNumber,
  encodedAvatar: Nullable(Type.String({ maxLength: 100_000, pattern: '^[A-Za-z0-9+/=\\s]*$' })),
})

export const AwardListing = open('AwardListing', {
  awardId: whole,
  eventType: words,
  description: words,
  forPerson: flag,
})

export const Award = open('Award', {
  awardId: whole,
  teamId: count,
  eventId: count,
  eventDivisionId: count,
  eventCode: words,
  name: Type.String({ maxLength: 500 }),
  series: count,
  teamNumber: Optional(Nullable(teamNumber)),
  schoolName: words,
  fullTeamName: words,
  person: words,
  cmpQualifying: flag,
  cmpQualifyingReason: words,
})

const station = oneOf('Red1', 'Red2', 'Red3', 'Red4', 'Blue1', 'Blue2', 'Blue3', 'Blue4')
const unfilled = Nullable(teamNumber)

export const Match = open('Match', {
  isReplay: flag,
  matchVideoLink: words,
  description: words,
  matchNumber: whole,
  tournamentLevel: level,
  scoreRedFinal: count,
  scoreRedFoul: count,
  scoreRedAuto: count,
  scoreBlueFinal: count,
  scoreBlueFoul: count,
  scoreBlueAuto: count,
  autoStartTime: words,
  actualStartTime: words,
  postResultTime: words,
  teams: Type.Array(open('MatchTeam', { teamNumber: unfilled, station, dq: flag })),
})

export const ScheduledMatch = open('ScheduledMatch', {
  field: words,
  tournamentLevel: level,
  description: words,
  startTime: words,
  matchNumber: whole,
  teams: Type.Array(open('ScheduledTeam', { teamNumber: unfilled, station, surrogate: flag })),
})

/** Other fields of an alliance depend on the year's game. */
export const MatchScore = open('MatchScore', {
  matchLevel: level,
  matchNumber: whole,
  alliances: Type.Array(open('AllianceScore', { alliance: oneOf('Red', 'Blue'), totalPoints: amount, rp: amount })),
})

export const Ranking = open('Ranking', {
  rank: whole,
  teamNumber,
  sortOrder1: amount,
  sortOrder2: amount,
  sortOrder3: amount,
  sortOrder4: amount,
  sortOrder5: amount,
  sortOrder6: amount,
  wins: count,
  losses: count,
  ties: count,
  qualAverage: amount,
  dq: count,
  matchesPlayed: count,
})

export const Alliance = open('Alliance', {
  number: whole,
  name: words,
  captain: Optional(unfilled),
  round1: Optional(unfilled),
  round2: Optional(unfilled),
  round3: Optional(unfilled),
  backup: Optional(unfilled),
  backupReplaced: Optional(unfilled),
})

export const DistrictRank = open('DistrictRank', {
  districtCode: Type.String({ maxLength: 20 }),
  teamNumber,
  rank: whole,
  totalPoints: amount,
  event1Code: words,
  event1Points: amount,
  event2Code: words,
  event2Points: amount,
  districtCmpCode: words,
  districtCmpPoints: amount,
  teamAgePoints: amount,
  adjustmentPoints: amount,
  qualifiedDistrictCmp: flag,
  qualifiedFirstCmp: flag,
})

/** A team that takes part in an event. */
export const Attendance = open('Attendance', { teamNumber })

/** A team's points at an event, for its district ranking. Not part of the original API. */
export const EventPoints = named('EventPoints', {
  teamNumber,
  qualification: Type.Number(),
  alliance: Type.Number(),
  playoff: Type.Number(),
  award: Type.Number(),
  total: Type.Number(),
})
