import type { Views } from '@icosa/contract'

const ofEvent = { view: 'listEvents', fields: { eventCode: 'code' } }

export const views: Views = {
  group: 'Data',
  scope: { season: '2024', tournamentLevel: 'Qualification' },
  resources: {
    listEvents: {
      title: 'Robotics events',
      about: 'The competitions of a season.',
      columns: ['name', 'code', 'type', 'city', 'country', 'dateStart'],
      panels: [
        {
          title: 'Ranking',
          operation: 'listRankings',
          about: 'Teams by rank, with their ranking score.',
          fields: { eventCode: 'code' },
          show: { as: 'ranking', rows: 'Rankings', label: 'teamNumber', value: 'sortOrder1' },
        },
      ],
    },
    listTeams: {
      title: 'Robotics teams',
      about: 'The teams of a season.',
      columns: ['nameShort', 'teamNumber', 'city', 'country', 'rookieYear'],
    },
    listDistricts: { title: 'Robotics districts', about: 'The districts of a season.' },
    listAwards: {
      title: 'Robotics awards',
      about: 'Awards that can be won in a season.',
      columns: ['description', 'eventType', 'forPerson'],
    },
    listMatches: {
      title: 'Matches',
      about: 'The matches of an event, with their scores.',
      columns: ['description', 'tournamentLevel', 'scoreRedFinal', 'scoreBlueFinal', 'actualStartTime'],
      parent: ofEvent,
    },
    listSchedule: {
      title: 'Schedule',
      about: 'The scheduled matches of an event.',
      columns: ['description', 'tournamentLevel', 'field', 'startTime'],
      parent: ofEvent,
    },
    listScores: {
      title: 'Scores',
      about: 'Detailed scores of the matches of an event.',
      columns: ['matchNumber', 'matchLevel'],
      parent: ofEvent,
    },
    listRankings: {
      title: 'Rankings',
      about: 'The teams of an event by rank.',
      columns: ['teamNumber', 'rank', 'wins', 'losses', 'ties', 'matchesPlayed'],
      parent: ofEvent,
    },
    listAlliances: {
      title: 'Alliances',
      about: 'The alliances of an event and their teams.',
      columns: ['name', 'captain', 'round1', 'round2'],
      parent: ofEvent,
    },
    listEventAwards: {
      title: 'Awards',
      about: 'Awards won at an event.',
      columns: ['name', 'teamNumber', 'person'],
      parent: ofEvent,
    },
    listTeamAwards: {
      title: 'Team awards',
      about: 'Awards won by a team.',
      columns: ['name', 'eventCode', 'person'],
      parent: { view: 'listTeams', fields: { teamNumber: 'teamNumber' } },
    },
    listDistrictRankings: {
      title: 'District rankings',
      about: 'The teams of a district by rank.',
      columns: ['teamNumber', 'districtCode', 'rank', 'totalPoints'],
    },
  },
  panels: [
    {
      title: 'District ranking',
      operation: 'listDistrictRankings',
      ask: { season: '2024', districtCode: '' },
      show: { as: 'ranking', rows: 'districtRanks', label: 'teamNumber', value: 'totalPoints' },
    },
  ],
  others: ['listAvatars', 'listEventTeamAwards'],
}
