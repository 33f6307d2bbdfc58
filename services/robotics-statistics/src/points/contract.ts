import { extension, oneOf, Type } from '@icosa/contract'
import { get } from '../common/contract.ts'

export const tournamentTypes = [
  'None',
  'Regional',
  'DistrictEvent',
  'DistrictChampionship',
  'DistrictChampionshipWithLevels',
  'DistrictChampionshipDivision',
  'ChampionshipSubdivision',
  'ChampionshipDivision',
  'Championship',
  'OffSeason',
  'OffSeasonWithAzureSync',
  'Remote',
] as const
export const sizeTypes = ['TwoAlliance', 'FourAlliance', 'SixAlliance', 'EightAlliance', 'SixteenAlliance'] as const
export const allianceRoles = ['None', 'Captain', 'Round1', 'Round2', 'Round3', 'Backup'] as const

const tournamentType = oneOf(...tournamentTypes)
const wins = Type.Optional(Type.Integer({ minimum: 0, maximum: 3 }))
const points = { 200: Type.Number() }

export const calculations = {
  calculateQualification: get('/v3.0/{season}/rankings/district/qualPerformanceCalculation', {
    summary: 'Calculate the points for a qualification rank.',
    query: Type.Object({
      tournamentType,
      qualificationRank: Type.Integer({ minimum: 1, maximum: 1_000 }),
      teamsAtEvent: Type.Integer({ minimum: 1, maximum: 1_000 }),
    }),
    replies: points,
  }),
  calculateAllianceSelection: get('/v3.0/{season}/rankings/district/allianceSelectionCalculation', {
    summary: 'Calculate the points for alliance selection.',
    query: Type.Object({
      tournamentType,
      sizeType: oneOf(...sizeTypes),
      allianceNumber: Type.Integer({ minimum: 1, maximum: 16 }),
      allianceRole: oneOf(...allianceRoles),
    }),
    replies: points,
  }),
  calculatePlayoffAdvancement: get('/v3.0/{season}/rankings/district/playoffAdvancementCalculation', {
    summary: 'Calculate the points for playoff advancement.',
    query: Type.Object({
      tournamentType,
      quarterFinalWins: wins,
      semiFinalWins: wins,
      finalWins: wins,
      place: Type.Optional(
        extension(
          Type.Integer({ minimum: 1, maximum: 16, description: 'For double-elimination playoffs, since 2023.' }),
        ),
      ),
      sizeType: Type.Optional(extension(oneOf(...sizeTypes))),
    }),
    replies: points,
  }),
}
