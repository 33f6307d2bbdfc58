import { latencyIn, shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { emptyApp } from '../engine/testing/corpus.ts'
import { type Callers, callersOf, fileOf, start, trainAndPublish } from '../testing/app.ts'

const bombConcurrency = 12
const longQuery = 'a '.repeat(245)

/** Once, 30 of them blocked a thread for 30 s; now 30 are answered, and 600 are refused. */
const patterns = Array.from({ length: 600 }, (_, i) => `{x} a {x} a {x} a {x} a {x} a {x} b${i}`)

test(`a tenant is served while another sends ${bombConcurrency} costly queries concurrently`, async () => {
  await using app = await start()
  const [good, evil] = [await callersOf(app, 'acme'), await callersOf(app, 'evil')]
  const publish = async (calls: Callers, appName: string, rules: readonly string[]) => {
    const document = emptyApp({
      intents: [{ name: 'None' }, { name: 'Book' }],
      patternAnyEntities: [{ name: 'x', explicitList: [], roles: [] }],
      patterns: rules.map((pattern) => ({ pattern, intent: 'Book' })),
      utterances: [{ text: 'book a flight', intent: 'Book', entities: [] }],
    })
    const { body: appId } = await calls.apps.import({ query: { appName }, body: fileOf(document) })
    await trainAndPublish(app, calls, { appId, versionId: document.versionId })
    return (query: string) =>
      calls.prediction.getSlotPrediction({ params: { appId, slotName: 'production' }, body: { query } })
  }
  const ask = await publish(good, 'Nice', ['book {x}'])
  const bomb = await publish(evil, 'Bomb', patterns)
  const bombStart = performance.now()
  await expect(bomb(longQuery)).rejects.toMatchObject({
    status: 403,
    body: { error: { code: 'QuotaExceeded', message: expect.stringContaining('pattern.any') } },
  })

  const bombMs = performance.now() - bombStart
  const probe = async (count: number) => {
    const durations: number[] = []
    for (let nth = 0; nth < count; nth++) {
      const sentAt = performance.now()
      await ask('book it')
      durations.push(performance.now() - sentAt)
    }
    return durations
  }
  const half = sized(25, 500)
  await probe(5)
  const before = await probe(half)
  let isOver = false
  const flood = Array.from({ length: bombConcurrency }, async () => {
    while (!isOver) await bomb(longQuery).catch(() => {})
  })
  await probe(5) // the first load the model into the remaining thread
  const flooded = await probe(2 * half)
  isOver = true
  await Promise.all(flood)
  const measured = { quiet: latencyIn([...before, ...(await probe(half))]), flooded: latencyIn(flooded) }
  console.log(`predictions beside ${bombConcurrency} costly ones, ${shownNeighbours(measured)}`)
  expect(measured.flooded.p50, 'without a free thread, every query would wait for a bomb').toBeLessThan(bombMs / 2)
})
