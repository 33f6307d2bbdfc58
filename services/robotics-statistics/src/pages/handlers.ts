import { implement, media } from '@icosa/kernel'
import { demandEvent, demandSeason } from '../answers/response-cache.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type Event, type ListName, ofEvent, ofSeason } from '../season/lists.ts'
import { pages as contract } from './contract.ts'
import { page } from './page.ts'

export const pages = implement<typeof contract, ServiceRuntime>(contract, {
  async showEvent({ params }, { runtime: { responses }, caller, clock }) {
    const season = Number(params.season)
    const versions = await responses.versions(caller.tenant)
    demandSeason(versions, season, clock.now())
    demandEvent(versions, season, params.eventCode)
    const scope = ofEvent(params.eventCode)
    const parsed = async <T>(list: ListName, at = scope) =>
      (await responses.items(caller.tenant, season, at, list)).map(({ content }) => JSON.parse(content) as T)
    const events = await parsed<Event>('events', ofSeason)
    const [schedule, matches, scores, alliances, rankings] = await Promise.all([
      parsed<never>('schedule'),
      parsed<never>('matches'),
      parsed<never>('scores'),
      parsed<never>('alliances'),
      parsed<never>('rankings'),
    ])
    const event = events.find(({ code }) => ofEvent(code) === scope) ?? { code: scope, type: '' }
    const { mediaType, body, headers } = page({ season, event, schedule, matches, scores, alliances, rankings })
    return media(mediaType, body, headers)
  },
})
