import { setTimeout as sleep } from 'node:timers/promises'
import type { GuardedFetch, OutboundResponse } from '@icosa/kernel'
import type { Given, GivenLists, Source } from '../import/given.ts'
import type { Event, ListName } from '../season/lists.ts'
import { itemsIn, respelled } from './spelling.ts'
import { type Mirrored, type mirroredPaths, putMirrored } from './store.ts'

/** Another server that did not answer as it should. */
export class WrongAnswer extends Error {}

export interface MirrorOptions {
  /** Up to and including the version: `https://host/v3.0`. */
  readonly url: string
  readonly season: number
  readonly tenant: string
  readonly authorization: string
  readonly fetch: GuardedFetch
  /** What is known from an earlier time. */
  readonly known: Awaited<ReturnType<typeof mirroredPaths>>
  readonly tell?: (path: string, status: number) => void
}

const attempts = 5
const maxReplyBytes = 64 * 1024 * 1024

/**
 * A season of another server of this API. Every address is asked for with the date of its last answer, and that date is
 * committed with what the answer held: a mirror that was stopped goes on where it was.
 */
export function mirrorSource({ url, season, tenant, authorization, fetch, known, tell }: MirrorOptions): Source {
  async function get(path: string, since: string | undefined): Promise<OutboundResponse> {
    const headers = { authorization, accept: 'application/json', ...(since && { 'if-modified-since': since }) }
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${url.replace(/\/$/, '')}/${season}${path}`, { headers, maxBytes: maxReplyBytes })
      tell?.(path, response.status)
      if (response.status === 200 || response.status === 304 || response.status === 404) return response
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || attempt === attempts)
        throw new WrongAnswer(
          `${path} answered ${response.status}: ${new TextDecoder().decode(response.body).slice(0, 200)}`,
        )
      await sleep(Math.min(60, Number(response.headers.get('retry-after')) || attempt) * 1_000)
    }
  }

  /** What the addresses of a list hold together; undefined if none of them has changed. */
  async function listAt(paths: readonly string[], seen: Mirrored[]): Promise<unknown[] | undefined> {
    const all: { path: string; answer: unknown }[] = []
    const unchanged: string[] = []
    const take = async (path: string, since: string | undefined): Promise<number> => {
      const response = await get(path, since)
      if (response.status === 304) {
        unchanged.push(path)
        return known.get(path)?.pages ?? 1
      }
      if (response.status === 404) return 1
      const answer: unknown = JSON.parse(new TextDecoder().decode(response.body))
      const pages = (answer as { pageTotal?: number }).pageTotal ?? 1
      // What was empty and still is has not changed: it never had a date.
      if (itemsIn(answer).length > 0 || known.has(path)) all.push({ path, answer })
      const lastModified = response.headers.get('last-modified')
      if (lastModified !== null) seen.push({ path, lastModified, pages })
      return pages
    }
    const taken: string[] = []
    for (const path of paths) {
      const pages = await take(path, known.get(path)?.lastModified)
      taken.push(path)
      for (let page = 2; page <= pages; page++) {
        const next = `${path}${path.includes('?') ? '&' : '?'}page=${page}`
        taken.push(next)
        await take(next, known.get(next)?.lastModified)
      }
    }
    if (all.length === 0) return undefined
    for (const path of unchanged) await take(path, undefined)
    all.sort((one, other) => taken.indexOf(one.path) - taken.indexOf(other.path))
    return all.flatMap(({ answer }) => itemsIn(answer))
  }

  async function given(lists: Readonly<Record<string, readonly string[]>>): Promise<GivenLists> {
    const seen: Mirrored[] = []
    const found: Given = {}
    for (const [list, paths] of Object.entries(lists) as [ListName, string[]][]) {
      const items = await listAt(paths, seen)
      if (items) found[list] = respelled(list, items)
    }
    return { lists: found, after: (db) => putMirrored(db, tenant, season, seen) }
  }

  let events: readonly Event[] = []
  return {
    season,
    async whole() {
      const { lists, after } = await given({
        districts: ['/districts'],
        teams: ['/teams'],
        ...(season >= 2018 && { avatars: ['/avatars'] }),
        awardListings: ['/awards/list'],
      })
      const summary = JSON.parse(new TextDecoder().decode((await get('', undefined)).body)) as unknown
      // Always as a whole: its events are what is asked for next.
      events = itemsIn(JSON.parse(new TextDecoder().decode((await get('/events', undefined)).body))) as Event[]
      return { lists: { ...lists, summary: [summary], events }, ...(after && { after }) }
    },
    async *events() {
      for (const { code } of events) {
        const at = encodeURIComponent(code)
        const found = await given({
          attendance: [`/teams?eventCode=${at}`],
          schedule: ['practice', 'qual', 'playoff'].map((level) => `/schedule/${at}?tournamentLevel=${level}`),
          matches: [`/matches/${at}`],
          scores: ['qual', 'playoff'].map((level) => `/scores/${at}/${level}`),
          alliances: [`/alliances/${at}`],
          rankings: [`/rankings/${at}`],
          awards: [`/awards/event/${at}`],
        })
        yield { code, ...found }
      }
    },
  }
}

export { mirroredPaths } from './store.ts'
