import { expect, test } from 'vitest'
import { clients } from './clients.ts'
import { isStale } from './page.ts'
import { runClients } from './platform.ts'
import { readResults, wrongCalls } from './results.ts'

test('the page of tested clients is up to date, and no answer was wrong', () => {
  expect(isStale(), 'Run: npm run clients').toBe(false)
  const results = readResults()
  expect(Object.keys(results).sort()).toEqual(Object.keys(clients).sort())
  const wrong = Object.values(results).flatMap(({ services }) => Object.values(services).map((tally) => tally.wrong))
  expect(wrong.filter((count) => count > 0)).toEqual([])
})

test.skipIf(!process.env.NIGHTLY)('every operation of clients in other languages', async () => {
  for await (const [name, report] of runClients(Object.keys(clients))) {
    expect(report.calls.length, name).toBeGreaterThan(0)
    expect(wrongCalls(report), name).toEqual([])
  }
})
