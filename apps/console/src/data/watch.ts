import { client } from '@icosa/client'
import { history, jobs, requests } from '@icosa/platform/contract'
import { queryOptions } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { platformTarget } from './access.ts'

const platform = () => client({ ...history, ...jobs, ...requests }, platformTarget())

const recentRequests = async (query: { minStatus?: number; limit?: number } = {}) =>
  (await platform().watchRequests({ query })).body
export type WatchedRequest = Awaited<ReturnType<typeof recentRequests>>['value'][number]

const minErrorStatus = 400
/** Reads of the platform mostly come from the console itself. */
export const isOwn = ({ service, method }: WatchedRequest) => service === 'platform' && method === 'GET'
export const isFailure = ({ status }: WatchedRequest) => status >= minErrorStatus

/** Recent requests and errors, oldest first. Links may point to errors older than the recent requests. */
async function recorded(): Promise<WatchedRequest[]> {
  const [all, errors] = await Promise.all([recentRequests(), recentRequests({ minStatus: minErrorStatus })])
  const ids = new Set(all.value.map(({ id }) => id))
  return [...all.value, ...errors.value.filter(({ id }) => !ids.has(id))].reverse()
}

/** Maximum number of requests in the traffic summary. */
export const maxTraffic = 300
const trafficMs = 10_000

export const trafficQuery = queryOptions({
  queryKey: ['traffic'],
  queryFn: () => recentRequests({ limit: maxTraffic }),
  refetchInterval: trafficMs,
})

export const errorsQuery = queryOptions({
  queryKey: ['errors'],
  queryFn: () => recentRequests({ minStatus: minErrorStatus, limit: 5 }),
  refetchInterval: trafficMs,
})

/** Maximum number of rows, so that a busy node does not exhaust the browser's memory. */
const maxRows = 500
/** Requests within this time are rendered together. */
const renderMs = 250
const reconnectMs = 2_000

interface Events {
  readonly requests: readonly WatchedRequest[]
  readonly skipped: number
}

/** Reads server-sent events with `fetch`, since `EventSource` cannot send a key. */
async function stream(onEvents: (events: Events) => void, signal: AbortSignal): Promise<void> {
  const { baseUrl, headers } = platformTarget()
  const response = await fetch(`${baseUrl}/requests`, { headers: { ...headers, accept: 'text/event-stream' }, signal })
  if (!response.ok || !response.body)
    throw new Error(`The node refused to stream requests (status ${response.status}).`)
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split('\n\n')
    rest = events.pop() ?? ''
    onEvents(read(events))
  }
}

function read(events: readonly string[]): Events {
  const ofKind = (kind: string) =>
    events.flatMap((event) =>
      event.includes(`event: ${kind}\n`) ? [JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '')] : [],
    )
  return { requests: ofKind('request'), skipped: ofKind('skipped').reduce((sum, { count }) => sum + count, 0) }
}

export interface Watched {
  /** Newest first. */
  readonly requests: readonly WatchedRequest[]
  /** Number of events dropped by the node because they arrived faster than it could send them. */
  readonly skipped: number
  readonly problem: string | undefined
}

const nothing: Watched = { requests: [], skipped: 0, problem: undefined }

function joined(old: Watched, { requests: fresh, skipped }: Events): Watched {
  const known = new Set(old.requests.map(({ id }) => id))
  const all = [...fresh.filter(({ id }) => !known.has(id)).reverse(), ...old.requests]
  return { requests: all.slice(0, maxRows), skipped: old.skipped + skipped, problem: undefined }
}

/** Live requests of this tenant, and a function that clears them. */
export function useRequests(isLive: boolean): readonly [Watched, () => void] {
  const [watched, setWatched] = useState(nothing)
  const pending = useRef<Events>({ requests: [], skipped: 0 })
  useEffect(() => {
    if (!isLive) return
    const ended = new AbortController()
    const collect = ({ requests: fresh, skipped }: Events) => {
      const { requests: waiting, skipped: before } = pending.current
      pending.current = { requests: [...waiting, ...fresh].slice(-maxRows), skipped: before + skipped }
    }
    const timer = setInterval(() => {
      const events = pending.current
      if (events.requests.length + events.skipped === 0) return
      pending.current = { requests: [], skipped: 0 }
      setWatched((old) => joined(old, events))
    }, renderMs)
    const follow = async () => {
      while (!ended.signal.aborted) {
        try {
          collect({ requests: await recorded(), skipped: 0 })
          await stream(collect, ended.signal)
        } catch (error) {
          if (ended.signal.aborted) return
          setWatched((old) => ({ ...old, problem: (error as Error).message }))
        }
        await new Promise((resolve) => setTimeout(resolve, reconnectMs))
      }
    }
    void follow()
    return () => {
      ended.abort()
      clearInterval(timer)
    }
  }, [isLive])
  return [watched, () => setWatched(nothing)]
}

export type Cause =
  | { readonly request: string }
  | { readonly trace: string }
  /** Path of a resource; `created` is the path at which it was created, `#` and its ID. */
  | { readonly path: string; readonly created: string }

export const historyQuery = (cause: Cause) =>
  queryOptions({
    queryKey: ['history', cause],
    queryFn: async () => (await platform().getHistory({ query: cause })).body,
    refetchInterval: 2_000,
  })
export type HistoryEvent = Awaited<ReturnType<NonNullable<ReturnType<typeof historyQuery>['queryFn']>>>['value'][number]

const listJobs = async () => (await platform().listJobs({})).body
export type Jobs = Awaited<ReturnType<typeof listJobs>>
export type Timer = Jobs['timers'][number]

export const jobsQuery = queryOptions({ queryKey: ['jobs'], queryFn: listJobs, refetchInterval: 2_000 })
