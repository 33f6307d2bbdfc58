import { setTimeout as sleep } from 'node:timers/promises'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Match, Ranking } from '../season/lists.ts'
import { plansOf } from '../synthetic/season.ts'
import { startRobotics } from '../testing/app.ts'

// Scouting apps poll while results arrive. Every answer reflects exactly one import: matches, ranking and dates of an
// event never mix two states.

let app: Awaited<ReturnType<typeof startRobotics>>
const plan = { season: 2026, events: 4, teams: 160, rounds: 4 }
const requests = sized(3_000, 200_000)
const callers = 16

beforeAll(async () => {
  app = await startRobotics()
  await app.scout.synthetic({ ...plan, played: 0 })
})
afterAll(() => app[Symbol.asyncDispose]())

interface LastResponse {
  modified: string | undefined
  played: number
}

/** Number of matches played when an answer was built. */
function playedIn(path: string, body: unknown): number {
  if (path.includes('/rankings/')) {
    const { Rankings } = body as { Rankings: Ranking[] }
    const total = Rankings.reduce((sum, { matchesPlayed }) => sum + (matchesPlayed ?? 0), 0)
    expect(total % 6, 'six teams for every match').toBe(0)
    return total / 6
  }
  const { Matches } = body as { Matches: Match[] }
  expect(Matches.map(({ matchNumber }) => matchNumber)).toEqual(Matches.map((_, index) => index + 1))
  return Matches.length
}

test(`${requests} conditional requests during imports`, async () => {
  const codes = plansOf(plan).map(({ event }) => event.code)
  const paths = codes.flatMap((code) => [`/2026/matches/${code}?tournamentLevel=qual`, `/2026/rankings/${code}`])
  /** By event: number of matches in the last import that every node must have noticed. */
  const committed = new Map(codes.map((code) => [code, 0]))
  let stopped = false
  const importing = (async () => {
    for (let played = 1; !stopped && played <= 20; played++) {
      await app.scout.synthetic({ ...plan, played })
      const imported = played
      // A node's versions are up to a second old; twice that on a busy machine.
      setTimeout(() => {
        for (const code of codes) committed.set(code, imported)
      }, 2_000)
      await sleep(sized(20, 500))
    }
  })()

  const counts = { fresh: 0, unchanged: 0 }
  let remaining = requests
  async function poll(): Promise<void> {
    const responses = new Map<string, LastResponse>(paths.map((path) => [path, { modified: undefined, played: 0 }]))
    for (let nth = 0; remaining-- > 0; nth++) {
      const path = paths[nth % paths.length] as string
      const code = codes.find((event) => path.includes(event)) as string
      const last = responses.get(path) as LastResponse
      const atLeast = committed.get(code) ?? 0
      const response = await app.scout.get(path, last.modified ? { 'if-modified-since': last.modified } : {})
      const modified = response.headers.get('last-modified') ?? last.modified
      if (last.modified && modified)
        expect(Date.parse(modified), 'never decreases').toBeGreaterThanOrEqual(Date.parse(last.modified))
      if (response.status === 304) {
        counts.unchanged++
        expect(last.played, 'no 304 after a change').toBeGreaterThanOrEqual(atLeast)
        continue
      }
      counts.fresh++
      expect(response.status).toBe(200)
      const played = playedIn(path, await response.json())
      expect(played).toBeGreaterThanOrEqual(Math.max(last.played, atLeast))
      last.played = played
      last.modified = modified
    }
  }
  await Promise.all(Array.from({ length: callers }, poll))
  stopped = true
  await importing
  console.log(`${requests} requests: ${counts.fresh} answered, ${counts.unchanged} unchanged`)
  expect(counts.unchanged).toBeGreaterThan(requests / 10)
  expect(counts.fresh).toBeGreaterThan(callers * paths.length)
}, 600_000)
