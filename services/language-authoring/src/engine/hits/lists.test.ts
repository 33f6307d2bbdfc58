import { expect, test } from 'vitest'
import { textRules } from '../settings.ts'
import { emptyApp } from '../testing/corpus.ts'
import { TooCostly, WorkBudget } from '../work.ts'
import { closedLists, listHits } from './lists.ts'

function find(lists: Record<string, readonly string[]>, text: string) {
  const app = emptyApp({
    closedLists: Object.entries(lists).map(([name, words]) => ({
      name,
      subLists: words.map((canonicalForm) => ({ canonicalForm, list: [] })),
      roles: [],
    })),
  })
  const hits = listHits(text, textRules(app), [closedLists(app, textRules(app))], new WorkBudget())
  return hits.map(({ model, start, end }) => `${model} ${text.slice(start, end)}`)
}

test('longer phrases hide shorter ones of the same list only', () => {
  const lists = { City: ['new york', 'york'], Old: ['york'] }
  expect(find(lists, 'new york city')).toEqual(['City new york', 'Old york'])
  expect(find(lists, 'york new york')).toEqual(['City york', 'Old york', 'City new york', 'Old york'])
})

test('a query with too many hits is refused', () => {
  const lists = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`List ${i}`, ['a']]))
  expect(() => find(lists, 'a '.repeat(245))).toThrow(TooCostly)
})
