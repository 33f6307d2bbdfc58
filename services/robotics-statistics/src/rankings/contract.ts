import { named, Type } from '@icosa/contract'
import { district, get, list, number, page, team } from '../common/contract.ts'
import { DistrictRank, Ranking } from '../season/contract.ts'

export const rankings = {
  listRankings: get('/v3.0/{season}/rankings/{eventCode}', {
    summary: 'List the team rankings of an event.',
    query: Type.Object({ teamNumber: team, top: number }),
    ...list(named('RankingList', { Rankings: Type.Array(Ranking) })),
  }),
  listDistrictRankings: get('/v3.0/{season}/rankings/district', {
    summary: 'List the team rankings of a district, 65 per page.',
    query: Type.Object({ districtCode: district, teamNumber: team, top: number, page }),
    ...list(
      named('DistrictRankList', {
        districtRanks: Type.Array(DistrictRank),
        rankingCountTotal: Type.Integer(),
        rankingCountPage: Type.Integer(),
        pageCurrent: Type.Integer(),
        pageTotal: Type.Integer(),
      }),
    ),
  }),
}
