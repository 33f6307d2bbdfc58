import { implement, ok } from '@icosa/kernel'
import { demandDistrict, demandEvent, demandSeason, type Question } from '../answers/response-cache.ts'
import type { Item } from '../answers/store.ts'
import { apiVersion } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type Event, ofSeason, type Team } from '../season/lists.ts'
import { listings as contract } from './contract.ts'

const matches = (value: string | null | undefined, filter: string | undefined) =>
  filter === undefined || value?.toLowerCase() === filter.toLowerCase()

interface EventFilter {
  readonly eventCode?: string
  readonly teamNumber?: number
  readonly districtCode?: string
  readonly excludeDistrict?: boolean
  readonly weekNumber?: number
  readonly tournamentType?: string
}

const selectEvents = (filter: EventFilter) => (items: readonly Item[]) =>
  items.filter(({ content, teams }) => {
    const event = JSON.parse(content) as Event
    return (
      matches(event.code, filter.eventCode) &&
      (filter.teamNumber === undefined || teams.includes(filter.teamNumber)) &&
      matches(event.districtCode, filter.districtCode) &&
      (filter.excludeDistrict !== true || !event.districtCode) &&
      (filter.weekNumber === undefined || event.weekNumber === filter.weekNumber) &&
      (filter.tournamentType?.toLowerCase() === 'none' || matches(event.type, filter.tournamentType))
    )
  })

interface TeamFilter {
  readonly teamNumber?: number
  readonly eventCode?: string
  readonly districtCode?: string
  readonly state?: string
}

/** Filters items of teams; `events` list the teams that attend. */
const selectTeams = (filter: TeamFilter) => (items: readonly Item[], events: readonly Item[]) => {
  const { teamNumber, eventCode, districtCode, state } = filter
  const attending = eventCode && new Set(events.find(({ key }) => key === eventCode.toUpperCase())?.teams)
  const needsContent = districtCode !== undefined || state !== undefined
  return items.filter(({ content, teams: [team = -1] }) => {
    if (teamNumber !== undefined && team !== teamNumber) return false
    if (attending && !attending.has(team)) return false
    if (!needsContent) return true
    const parsed = JSON.parse(content) as Team
    return matches(parsed.districtCode, districtCode) && matches(parsed.stateProv, state)
  })
}

const isEmpty = (filter: object) => Object.values(filter).every((value) => value === undefined)

function paged(list: 'teams' | 'avatars', season: number, filter: TeamFilter, page = 1): Question {
  const base = { season, scope: ofSeason, list, page }
  if (isEmpty(filter)) return { ...base, part: String(page) }
  const name = JSON.stringify([filter, page])
  const other = filter.eventCode === undefined ? undefined : 'events'
  return { ...base, name, other, select: selectTeams(filter) }
}

export const listings = implement<typeof contract, ServiceRuntime>(contract, {
  async getRoot(_, { runtime: { responses }, caller, clock }) {
    const { seasons } = await responses.versions(caller.tenant)
    const year = clock.now().getUTCFullYear()
    const maxSeason = Math.max(...seasons, 0) || year
    const currentSeason = Math.max(...[...seasons].filter((season) => season <= year), 0) || maxSeason
    return ok({ currentSeason, maxSeason, name: 'Robotics event statistics', apiVersion, status: 'normal' })
  },

  async getSeason({ params, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    demandSeason(await responses.versions(caller.tenant), season, clock.now())
    return responses.answer(caller.tenant, { season, scope: ofSeason, list: 'summary', part: '' }, headers)
  },

  async listEvents({ params, query, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    const versions = await responses.versions(caller.tenant)
    demandSeason(versions, season, clock.now())
    if (query.eventCode !== undefined) demandEvent(versions, season, query.eventCode)
    demandDistrict(versions, season, query.districtCode)
    const base = { season, scope: ofSeason, list: 'events' } as const
    const question: Question = isEmpty(query)
      ? { ...base, part: '' }
      : { ...base, name: JSON.stringify(query), select: selectEvents(query) }
    return responses.answer(caller.tenant, question, headers)
  },

  async listDistricts({ params, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    demandSeason(await responses.versions(caller.tenant), season, clock.now())
    return responses.answer(caller.tenant, { season, scope: ofSeason, list: 'districts', part: '' }, headers)
  },

  async listTeams({ params, query: { page, ...filter }, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    const versions = await responses.versions(caller.tenant)
    demandSeason(versions, season, clock.now())
    if (filter.eventCode !== undefined) demandEvent(versions, season, filter.eventCode)
    demandDistrict(versions, season, filter.districtCode)
    return responses.answer(caller.tenant, paged('teams', season, filter, page), headers)
  },

  async listAvatars({ params, query: { page, ...filter }, headers }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    const versions = await responses.versions(caller.tenant)
    demandSeason(versions, season, clock.now(), firstWithAvatars)
    if (filter.eventCode !== undefined) demandEvent(versions, season, filter.eventCode)
    return responses.answer(caller.tenant, paged('avatars', season, filter, page), headers)
  },
})

const firstWithAvatars = 2018
