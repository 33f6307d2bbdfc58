import { Failure, implement, invalid, ok } from '@icosa/kernel'
import { demandSeason } from '../answers/response-cache.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { calculations as contract, type sizeTypes } from './contract.ts'
import { alliancePoints, multiplierOf, placePoints, qualificationPoints, winPoints } from './formula.ts'
import { rulesOf } from './rules.ts'

const sizes: Readonly<Record<(typeof sizeTypes)[number], number>> = {
  TwoAlliance: 2,
  FourAlliance: 4,
  SixAlliance: 6,
  EightAlliance: 8,
  SixteenAlliance: 16,
}

const factorOf = (tournamentType: string) =>
  multiplierOf(tournamentType) ??
  invalid([{ at: 'query/tournamentType', message: 'awards no points: request a regional or district tournament' }])

export const calculations = implement<typeof contract, ServiceRuntime>(contract, {
  async calculateQualification({ params, query }, { runtime: { responses }, caller, clock }) {
    demandSeason(await responses.versions(caller.tenant), Number(params.season), clock.now())
    const { tournamentType, qualificationRank, teamsAtEvent } = query
    if (qualificationRank > teamsAtEvent)
      invalid([{ at: 'query/qualificationRank', message: `must be at most teamsAtEvent, ${teamsAtEvent}` }])
    return ok(qualificationPoints(qualificationRank, teamsAtEvent, factorOf(tournamentType)))
  },

  async calculateAllianceSelection({ params, query }, { runtime: { responses }, caller, clock }) {
    demandSeason(await responses.versions(caller.tenant), Number(params.season), clock.now())
    const { tournamentType, sizeType, allianceNumber, allianceRole } = query
    const size = sizes[sizeType]
    if (allianceNumber > size) invalid([{ at: 'query/allianceNumber', message: `must be at most ${size}` }])
    return ok(alliancePoints(allianceNumber, allianceRole, size, factorOf(tournamentType)))
  },

  async calculatePlayoffAdvancement({ params, query }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    demandSeason(await responses.versions(caller.tenant), season, clock.now())
    const { tournamentType, quarterFinalWins, semiFinalWins, finalWins, place, sizeType = 'EightAlliance' } = query
    const factor = factorOf(tournamentType)
    const isBracket = rulesOf(season).playoffs === 'doubleElimination'
    if (place !== undefined) {
      if (isBracket) return ok(placePoints(place, sizes[sizeType], factor))
      throw new Failure('invalid', `In ${season} wins counted, not places: send quarterFinalWins and so on.`)
    }
    const wins = [quarterFinalWins, semiFinalWins, finalWins]
    if (isBracket && wins.some((count) => count !== undefined))
      throw new Failure('invalid', `In ${season} playoffs are a double elimination: send place, from 1 to 4.`)
    return ok(
      winPoints(
        wins.reduce<number>((sum, count) => sum + Math.min(count ?? 0, 2), 0),
        factor,
      ),
    )
  },
})
