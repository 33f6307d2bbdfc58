import { implement } from '@icosa/kernel'
import { demandDistrict, demandEvent, demandSeason, type Question } from '../answers/response-cache.ts'
import type { Item } from '../answers/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { ofAllEvents, ofDistrict, ofEvent } from '../season/lists.ts'
import { rankings as contract } from './contract.ts'

/** Filters to the top teams, or one team. */
const select =
  ({ top, teamNumber }: { readonly top?: number | undefined; readonly teamNumber?: number | undefined }) =>
  (items: readonly Item[]) =>
    items.slice(0, top).filter(({ teams }) => teamNumber === undefined || teams.includes(teamNumber))

export const rankings = implement<typeof contract, ServiceRuntime>(contract, {
  async listRankings({ params, query, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    const versions = await responses.versions(caller.tenant)
    demandSeason(versions, season, clock.now())
    demandEvent(versions, season, params.eventCode)
    const { teamNumber, top } = query
    const base = { season, scope: ofEvent(params.eventCode), list: 'rankings' } as const
    const question: Question =
      teamNumber === undefined && top === undefined
        ? { ...base, part: '' }
        : { ...base, name: `${teamNumber}/${top}`, select: select(query) }
    return responses.answer(caller.tenant, question, headers)
  },

  async listDistrictRankings({ params, query, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    const versions = await responses.versions(caller.tenant)
    demandSeason(versions, season, clock.now())
    const { districtCode, teamNumber, top, page = 1 } = query
    const scope = districtCode === undefined ? ofAllEvents : ofDistrict(districtCode)
    demandDistrict(versions, season, districtCode)
    const base = { season, scope, list: 'districtRanks', page } as const
    const isUnfiltered = districtCode !== undefined && teamNumber === undefined && top === undefined
    const question: Question = isUnfiltered
      ? { ...base, part: String(page) }
      : { ...base, name: `${teamNumber}/${top}/${page}`, select: select(query) }
    return responses.answer(caller.tenant, question, headers)
  },
})
