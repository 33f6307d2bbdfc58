import { setTimeout as sleep } from 'node:timers/promises'
import type { GuardedFetch, OutboundResponse } from '@icosa/kernel'
import type { Given, GivenLists, Source } from '../import/given.ts'
import type { Event, ListName } from '../season/lists.ts'
import { itemsIn, respelled } from './spelling.ts'
import { type Mirrored, type mirroredPaths, putMirrored } from './store.ts'

/** An unexpected response of the other server. */
export class UnexpectedResponse extends Error {}

export interface MirrorOptions {
  /** Up to and including the version: `https://host/v3.0`. */
  readonly url: string
  readonly season: number
  readonly tenant: string
  readonly authorization: string
  readonly fetch: GuardedFetch
  /** Paths mirrored before. */
  readonly previous: Awaited<ReturnType<typeof mirroredPaths>>
  readonly onResponse?: (path: string, status: number) => void
}

const attempts = 5
const maxReplyBytes = 64 * 1024 * 1024

/**
 * A season of another server of this API. Every URL is requested with the date of its last response, and that date is
 * committed with the response's content: an interrupted mirror resumes where it stopped.
 */
export function mirrorSource({
  url,
  season,
  tenant,
  authorization,
  fetch,
  previous,
  onResponse,
}: MirrorOptions): Source {
  async function get(path: string, since: string | undefined): Promise<OutboundResponse> {
    const headers = { authorization, accept: 'application/json', ...(since && { 'if-modified-since': since }) }
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(`${url.replace(/\/$/, '')}/${season}${path}`, { headers, maxBytes: maxReplyBytes })
      onResponse?.(path, response.status)
      if (response.status === 200 || response.status === 304 || response.status === 404) return response
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || attempt === attempts)
        throw new UnexpectedResponse(
          `${path} answered ${response.status}: ${new TextDecoder().decode(response.body).slice(0, 200)}`,
        )
      await sleep(Math.min(60, Number(response.headers.get('retry-after')) || attempt) * 1_000)
    }
  }

  /** Returns the items of all paths of a list; undefined if none has changed. */
  async function listAt(paths: readonly string[], mirrored: Mirrored[]): Promise<unknown[] | undefined> {
    const answers: { path: string; answer: unknown }[] = []
    const unchanged: string[] = []
    const load = async (path: string, since: string | undefined): Promise<number> => {
      const response = await get(path, since)
      if (response.status === 304) {
        unchanged.push(path)
        return previous.get(path)?.pages ?? 1
      }
      if (response.status === 404) return 1
      const answer: unknown = JSON.parse(new TextDecoder().decode(response.body))
      const pages = (answer as { pageTotal?: number }).pageTotal ?? 1
      // A list that is still empty has not changed: it never had a date.
      if (itemsIn(answer).length > 0 || previous.has(path)) answers.push({ path, answer })
      const lastModified = response.headers.get('last-modified')
      if (lastModified !== null) mirrored.push({ path, lastModified, pages })
      return pages
    }
    const order: string[] = []
    for (const path of paths) {
      const pages = await load(path, previous.get(path)?.lastModified)
      order.push(path)
      for (let page = 2; page <= pages; page++) {
        const next = `${path}${path.includes('?') ? '&' : '?'}page=${page}`
        order.push(next)
        await load(next, previous.get(next)?.lastModified)
      }
    }
    if (answers.length === 0) return undefined
    for (const path of unchanged) await load(path, undefined)
    answers.sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path))
    return answers.flatMap(({ answer }) => itemsIn(answer))
  }

  async function fetchLists(pathsByList: Readonly<Record<string, readonly string[]>>): Promise<GivenLists> {
    const mirrored: Mirrored[] = []
    const lists: Given = {}
    for (const [list, paths] of Object.entries(pathsByList) as [ListName, string[]][]) {
      const items = await listAt(paths, mirrored)
      if (items) lists[list] = respelled(list, items)
    }
    return { lists, after: (db) => putMirrored(db, tenant, season, mirrored) }
  }

  let events: readonly Event[] = []
  return {
    season,
    async whole() {
      const { lists, after } = await fetchLists({
        districts: ['/districts'],
        teams: ['/teams'],
        ...(season >= 2018 && { avatars: ['/avatars'] }),
        awardListings: ['/awards/list'],
      })
      const summary = JSON.parse(new TextDecoder().decode((await get('', undefined)).body)) as unknown
      // Unconditional: its events are requested next.
      events = itemsIn(JSON.parse(new TextDecoder().decode((await get('/events', undefined)).body))) as Event[]
      return { lists: { ...lists, summary: [summary], events }, ...(after && { after }) }
    },
    async *events() {
      for (const { code } of events) {
        const at = encodeURIComponent(code)
        const lists = await fetchLists({
          attendance: [`/teams?eventCode=${at}`],
          schedule: ['practice', 'qual', 'playoff'].map((level) => `/schedule/${at}?tournamentLevel=${level}`),
          matches: [`/matches/${at}`],
          scores: ['qual', 'playoff'].map((level) => `/scores/${at}/${level}`),
          alliances: [`/alliances/${at}`],
          rankings: [`/rankings/${at}`],
          awards: [`/awards/event/${at}`],
        })
        yield { code, ...lists }
      }
    },
  }
}

export { mirroredPaths } from './store.ts'
