import { named, Type } from '@icosa/contract'
import { anyCase, district, event, get, list, number, page, team } from '../common/contract.ts'
import { tournamentTypes } from '../points/contract.ts'
import { Avatar, District, Event, Summary, Team } from '../season/contract.ts'

const paging = {
  teamCountTotal: Type.Integer(),
  teamCountPage: Type.Integer(),
  pageCurrent: Type.Integer(),
  pageTotal: Type.Integer(),
}

export const listings = {
  getRoot: get('/v3.0/', {
    summary: 'Read which seasons are available.',
    replies: {
      200: named('Root', {
        currentSeason: Type.Integer(),
        maxSeason: Type.Integer(),
        name: Type.String(),
        apiVersion: Type.String(),
        status: Type.String(),
      }),
    },
  }),
  getSeason: get('/v3.0/{season}', { summary: 'Read the summary of a season.', ...list(Summary) }),
  listEvents: get('/v3.0/{season}/events', {
    summary: 'List the events of a season.',
    query: Type.Object({
      eventCode: event,
      teamNumber: team,
      districtCode: district,
      excludeDistrict: Type.Optional(Type.Boolean()),
      weekNumber: number,
      tournamentType: Type.Optional(
        Type.String({
          pattern: anyCase(...tournamentTypes),
          description: `${tournamentTypes.join(', ')}, in any case`,
        }),
      ),
    }),
    ...list(named('EventList', { Events: Type.Array(Event), eventCount: Type.Integer() })),
  }),
  listDistricts: get('/v3.0/{season}/districts', {
    summary: 'List the districts of a season.',
    ...list(named('DistrictList', { districts: Type.Array(District), districtCount: Type.Integer() })),
  }),
  listTeams: get('/v3.0/{season}/teams', {
    summary: 'List the teams of a season, 65 per page.',
    query: Type.Object({
      teamNumber: team,
      eventCode: event,
      districtCode: district,
      state: Type.Optional(Type.String({ maxLength: 100 })),
      page,
    }),
    ...list(named('TeamList', { teams: Type.Array(Team), ...paging })),
  }),
  listAvatars: get('/v3.0/{season}/avatars', {
    summary: 'List team avatars, 65 per page. Available since 2018.',
    query: Type.Object({ teamNumber: team, eventCode: event, page }),
    ...list(named('AvatarList', { teams: Type.Array(Avatar), ...paging })),
  }),
}
