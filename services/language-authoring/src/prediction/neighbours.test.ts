import { latencyIn, shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { emptyApp } from '../engine/testing/corpus.ts'
import { type Callers, callersOf, fileOf, learn, start } from '../testing/app.ts'

const bombsAtOnce = 12
const longest = 'a '.repeat(245)

/** 30 of them once held a thread for 30 s; now that many are answered, and these are refused. */
const patterns = Array.from({ length: 600 }, (_, i) => `{x} a {x} a {x} a {x} a {x} a {x} b${i}`)

test(`a tenant is answered while another asks ${bombsAtOnce} costly questions at once`, async () => {
  await using app = await start()
  const [good, evil] = [await callersOf(app, 'acme'), await callersOf(app, 'evil')]
  const published = async (calls: Callers, appName: string, rules: readonly string[]) => {
    const document = emptyApp({
      intents: [{ name: 'None' }, { name: 'Book' }],
      patternAnyEntities: [{ name: 'x', explicitList: [], roles: [] }],
      patterns: rules.map((pattern) => ({ pattern, intent: 'Book' })),
      utterances: [{ text: 'book a flight', intent: 'Book', entities: [] }],
    })
    const { body: appId } = await calls.apps.import({ query: { appName }, body: fileOf(document) })
    await learn(app, calls, { appId, versionId: document.versionId })
    return (query: string) =>
      calls.prediction.getSlotPrediction({ params: { appId, slotName: 'production' }, body: { query } })
  }
  const ask = await published(good, 'Nice', ['book {x}'])
  const bomb = await published(evil, 'Bomb', patterns)
  const began = performance.now()
  await expect(bomb(longest)).rejects.toMatchObject({
    status: 403,
    body: { error: { code: 'QuotaExceeded', message: expect.stringContaining('pattern.any') } },
  })

  const bombMs = performance.now() - began
  const probe = async (count: number) => {
    const took: number[] = []
    for (let nth = 0; nth < count; nth++) {
      const asked = performance.now()
      await ask('book it')
      took.push(performance.now() - asked)
    }
    return took
  }
  const half = sized(25, 500)
  await probe(5)
  const before = await probe(half)
  let isOver = false
  const flood = Array.from({ length: bombsAtOnce }, async () => {
    while (!isOver) await bomb(longest).catch(() => {})
  })
  await probe(5) // the first of them load the model into the thread that is left
  const flooded = await probe(2 * half)
  isOver = true
  await Promise.all(flood)
  const measured = { quiet: latencyIn([...before, ...(await probe(half))]), flooded: latencyIn(flooded) }
  console.log(`predictions beside ${bombsAtOnce} costly ones, ${shownNeighbours(measured)}`)
  expect(measured.flooded.p50, 'without a thread left, every answer would wait for a bomb').toBeLessThan(bombMs / 2)
})
