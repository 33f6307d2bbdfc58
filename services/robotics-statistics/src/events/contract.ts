import { extension, named, Type } from '@icosa/contract'
import { get, level, list, number, team } from '../common/contract.ts'
import { Alliance, Award, AwardListing, Match, MatchScore, ScheduledMatch } from '../season/contract.ts'

const Awards = named('AwardList', { Awards: Type.Array(Award) })
const range = { start: number, end: number }

export const events = {
  listAwards: get('/v3.0/{season}/awards/list', {
    summary: 'List the awards of a season.',
    ...list(named('AwardListings', { awards: Type.Array(AwardListing) })),
  }),
  listEventAwards: get('/v3.0/{season}/awards/event/{eventCode}', {
    summary: 'List the awards won at an event.',
    ...list(Awards),
  }),
  listTeamAwards: get('/v3.0/{season}/awards/team/{teamNumber}', {
    summary: 'List the awards that a team won in a season.',
    ...list(Awards),
  }),
  listEventTeamAwards: get('/v3.0/{season}/awards/eventteam/{eventCode}/{teamNumber}', {
    summary: 'List the awards that a team won at an event.',
    ...list(Awards),
  }),
  listScores: get('/v3.0/{season}/scores/{eventCode}/{tournamentLevel}', {
    summary: "List detailed match scores, by the rules of the year's game.",
    query: Type.Object({ matchNumber: number, teamNumber: team, ...range }),
    ...list(named('MatchScoreList', { MatchScores: Type.Array(MatchScore) })),
  }),
  listMatches: get('/v3.0/{season}/matches/{eventCode}', {
    summary: 'List the matches of an event with their results.',
    query: Type.Object({ tournamentLevel: level, teamNumber: team, matchNumber: number, ...range }),
    ...list(named('MatchList', { Matches: Type.Array(Match) })),
  }),
  listSchedule: get('/v3.0/{season}/schedule/{eventCode}', {
    summary: 'List the scheduled matches of an event.',
    query: Type.Object({ tournamentLevel: level, teamNumber: team, matchNumber: extension(number), ...range }),
    ...list(named('Schedule', { Schedule: Type.Array(ScheduledMatch) })),
  }),
  listAlliances: get('/v3.0/{season}/alliances/{eventCode}', {
    summary: 'List the alliances of the playoffs of an event.',
    ...list(named('AllianceList', { Alliances: Type.Array(Alliance), count: Type.Integer() })),
  }),
}
