import type { ListName } from '../season/lists.ts'

type Fields = Readonly<Record<string, unknown>>

/** The items of an answer of the original: in an envelope, or as they are. A summary is its own item. */
export function itemsIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  if (typeof answer !== 'object' || answer === null) return []
  return Object.values(answer).find(Array.isArray) ?? []
}

/** Names that older versions of the API wrote with a capital. */
const formerly: Partial<Record<ListName, readonly [old: string, now: string]>> = {
  schedule: ['Teams', 'teams'],
  matches: ['Teams', 'teams'],
  scores: ['Alliances', 'alliances'],
}

export function respelled(list: ListName, items: readonly unknown[]): readonly unknown[] {
  const [old, now] = formerly[list] ?? []
  if (old === undefined || now === undefined) return items
  return items.map((item) => {
    if (typeof item !== 'object' || item === null || !(old in item)) return item
    return Object.fromEntries(Object.entries(item).map(([name, value]) => [name === old ? now : name, value]))
  })
}

const ofSchedule = ['field', 'tournamentLevel', 'description', 'startTime', 'matchNumber']

/** A schedule with its results in it, which older versions answered, is a schedule and matches. */
export function splitHybrid(items: readonly unknown[]): { schedule: readonly unknown[]; matches: readonly unknown[] } {
  const whole = respelled('schedule', items) as Fields[]
  const teams = (item: Fields, without: string) =>
    ((item.teams ?? []) as Fields[]).map(({ [without]: _, ...team }) => team)
  const schedule = whole.map((item) => ({
    ...Object.fromEntries(Object.entries(item).filter(([name]) => ofSchedule.includes(name))),
    teams: teams(item, 'dq'),
  }))
  const matches = whole.map(({ startTime, ...item }) => ({
    ...item,
    autoStartTime: startTime,
    teams: teams(item, 'surrogate'),
  }))
  return { schedule, matches }
}
