import { implement, type ReadingContext } from '@icosa/kernel'
import type { Conditions } from '../answers/conditions.ts'
import { demandEvent, demandSeason, type Question } from '../answers/response-cache.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type ListName, ofAllEvents, ofEvent, ofSeason } from '../season/lists.ts'
import { events as contract } from './contract.ts'
import { isOnlyLevel, levelOf, type MatchFilter, selectMatches } from './parameters.ts'

type Context = ReadingContext<ServiceRuntime>

interface EventPath {
  readonly season: string
  readonly eventCode: string
}

/** Answers a question about an event, or 404. */
async function answerForEvent(
  { season, eventCode }: EventPath,
  headers: Conditions,
  { runtime: { responses }, caller, clock }: Context,
  question: Omit<Question, 'season' | 'scope'>,
) {
  const versions = await responses.versions(caller.tenant)
  demandSeason(versions, Number(season), clock.now())
  demandEvent(versions, Number(season), eventCode)
  return responses.answer(caller.tenant, { ...question, season: Number(season), scope: ofEvent(eventCode) }, headers)
}

const matchesOf = (list: ListName, filter: MatchFilter): Omit<Question, 'season' | 'scope'> =>
  isOnlyLevel(filter)
    ? { list, part: filter.level ?? '' }
    : { list, name: JSON.stringify(filter), select: selectMatches(filter) }

const ofTeam = (list: ListName, teamNumber: string): Omit<Question, 'season' | 'scope'> => ({
  list,
  name: `team ${Number(teamNumber)}`,
  select: (items) => items.filter(({ teams }) => teams.includes(Number(teamNumber))),
})

export const events = implement<typeof contract, ServiceRuntime>(contract, {
  async listAwards({ params, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    demandSeason(await responses.versions(caller.tenant), season, clock.now())
    return responses.answer(caller.tenant, { season, scope: ofSeason, list: 'awardListings', part: '' }, headers)
  },

  async listEventAwards({ params, headers }, context) {
    return answerForEvent(params, headers, context, { list: 'awards', part: '' })
  },

  async listTeamAwards({ params, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    demandSeason(await responses.versions(caller.tenant), season, clock.now())
    const question = { ...ofTeam('awards', params.teamNumber), season, scope: ofAllEvents }
    return responses.answer(caller.tenant, question, headers)
  },

  async listEventTeamAwards({ params, headers }, context) {
    return answerForEvent(params, headers, context, ofTeam('awards', params.teamNumber))
  },

  async listScores({ params, query, headers }, context) {
    const { matchNumber: number, teamNumber: team, start, end } = query
    const level = levelOf(params.tournamentLevel)
    return answerForEvent(params, headers, context, matchesOf('scores', { level, team, number, start, end }))
  },

  async listMatches({ params, query, headers }, context) {
    const { tournamentLevel, matchNumber: number, teamNumber: team, start, end } = query
    const level = levelOf(tournamentLevel)
    return answerForEvent(params, headers, context, matchesOf('matches', { level, team, number, start, end }))
  },

  async listSchedule({ params, query, headers }, context) {
    const { tournamentLevel, matchNumber: number, teamNumber: team, start, end } = query
    const level = levelOf(tournamentLevel)
    return answerForEvent(params, headers, context, matchesOf('schedule', { level, team, number, start, end }))
  },

  async listAlliances({ params, headers }, context) {
    return answerForEvent(params, headers, context, { list: 'alliances', part: '' })
  },
})
