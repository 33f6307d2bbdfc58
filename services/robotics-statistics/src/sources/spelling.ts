import type { ListName } from '../season/lists.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns the items of a response of the original: an array, or the array in its envelope. */
export function itemsIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  if (typeof answer !== 'object' || answer === null) return []
  return Object.values(answer).find(Array.isArray) ?? []
}

/** Fields that older versions of the API capitalized. */
const formerNames: Partial<Record<ListName, readonly [old: string, now: string]>> = {
  schedule: ['Teams', 'teams'],
  matches: ['Teams', 'teams'],
  scores: ['Alliances', 'alliances'],
}

export function respelled(list: ListName, items: readonly unknown[]): readonly unknown[] {
  const [old, now] = formerNames[list] ?? []
  if (old === undefined || now === undefined) return items
  return items.map((item) => {
    if (typeof item !== 'object' || item === null || !(old in item)) return item
    return Object.fromEntries(Object.entries(item).map(([name, value]) => [name === old ? now : name, value]))
  })
}

const ofSchedule = ['field', 'tournamentLevel', 'description', 'startTime', 'matchNumber']

/** Splits a hybrid schedule of older versions, which includes results, into schedule and matches. */
export function splitHybrid(items: readonly unknown[]): { schedule: readonly unknown[]; matches: readonly unknown[] } {
  const hybrid = respelled('schedule', items) as Fields[]
  const teams = (item: Fields, without: string) =>
    ((item.teams ?? []) as Fields[]).map(({ [without]: _, ...team }) => team)
  const schedule = hybrid.map((item) => ({
    ...Object.fromEntries(Object.entries(item).filter(([name]) => ofSchedule.includes(name))),
    teams: teams(item, 'dq'),
  }))
  const matches = hybrid.map(({ startTime, ...item }) => ({
    ...item,
    autoStartTime: startTime,
    teams: teams(item, 'surrogate'),
  }))
  return { schedule, matches }
}
