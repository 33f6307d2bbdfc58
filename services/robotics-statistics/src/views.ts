import type { Views } from '@icosa/contract'

const ofEvent = { view: 'listEvents', fields: { eventCode: 'code' } }

export const views: Views = {
  group: 'Data',
  scope: { season: '2024', tournamentLevel: 'Qualification' },
  resources: {
    listEvents: {
      title: 'Robotics events',
      about: 'Competitions of a season.',
      columns: ['name', 'code', 'type', 'city', 'country', 'dateStart'],
    },
    listTeams: {
      title: 'Robotics teams',
      about: 'Teams of a season.',
      columns: ['nameShort', 'teamNumber', 'city', 'country', 'rookieYear'],
    },
    listDistricts: { title: 'Robotics districts', about: 'Districts of a season.' },
    listAwards: {
      title: 'Robotics awards',
      about: 'Awards that a season has.',
      columns: ['description', 'eventType', 'forPerson'],
    },
    listMatches: {
      title: 'Matches',
      about: 'Matches of an event, with scores.',
      columns: ['description', 'tournamentLevel', 'scoreRedFinal', 'scoreBlueFinal', 'actualStartTime'],
      parent: ofEvent,
    },
    listSchedule: {
      title: 'Schedule',
      about: 'Planned matches of an event.',
      columns: ['description', 'tournamentLevel', 'field', 'startTime'],
      parent: ofEvent,
    },
    listScores: {
      title: 'Scores',
      about: 'Detailed scores of an event.',
      columns: ['matchNumber', 'matchLevel'],
      parent: ofEvent,
    },
    listRankings: {
      title: 'Rankings',
      about: 'Teams of an event by rank.',
      columns: ['teamNumber', 'rank', 'wins', 'losses', 'ties', 'matchesPlayed'],
      parent: ofEvent,
    },
    listAlliances: {
      title: 'Alliances',
      about: 'Alliances of an event.',
      columns: ['name', 'captain', 'round1', 'round2'],
      parent: ofEvent,
    },
    listEventAwards: {
      title: 'Awards',
      about: 'Awards given at an event.',
      columns: ['name', 'teamNumber', 'person'],
      parent: ofEvent,
    },
    listTeamAwards: {
      title: 'Team awards',
      about: 'Awards that a team received.',
      columns: ['name', 'eventCode', 'person'],
      parent: { view: 'listTeams', fields: { teamNumber: 'teamNumber' } },
    },
    listDistrictRankings: {
      title: 'District rankings',
      about: 'Teams of a district by rank.',
      columns: ['teamNumber', 'districtCode', 'rank', 'totalPoints'],
    },
  },
  others: ['listAvatars', 'listEventTeamAwards'],
}
