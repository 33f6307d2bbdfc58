import { createHash } from 'node:crypto'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { AppDocument } from './document.ts'
import { predict, train } from './index.ts'
import { modelOf } from './testing/asking.ts'
import { generatedApp } from './testing/corpus.ts'

test('unseen sentences of a generated corpus are understood', async () => {
  const size = { intents: sized(12, 100), utterances: 15, entities: 4 }
  const model = await modelOf(generatedApp(size))
  // Generated from word lists; bench/language uses public corpora.
  const testSet = generatedApp({ ...size, utterances: 25 }).utterances.filter((_, i) => i % 5 === 0)
  const [intents, entities] = [{ correct: 0 }, { correct: 0, total: 0 }]
  for (const { text, intent, entities: labels } of testSet) {
    const prediction = predict(model, { query: text })
    if (prediction.topIntent === intent) intents.correct++
    for (const { entity, startPos, endPos } of labels) {
      entities.total++
      if (
        prediction.entities.some(
          (other) => other.name === entity && other.start === startPos && other.length === endPos + 1 - startPos,
        )
      )
        entities.correct++
    }
  }
  expect(intents.correct / testSet.length).toBeGreaterThan(0.9)
  expect(entities.correct / entities.total).toBeGreaterThan(0.85)
})

test('training is deterministic', async () => {
  const digest = async (app: AppDocument) =>
    createHash('sha256')
      .update(await train(app))
      .digest('hex')
  const app = generatedApp({ intents: 3, utterances: 5, entities: 2 })
  const changed = { ...app, utterances: app.utterances.slice(1) }
  expect(await digest(structuredClone(app))).toBe(await digest(app))
  expect(await digest(changed)).not.toBe(await digest(app))
})

test('training can be aborted', async () => {
  const stop = new AbortController()
  const progress: number[] = []
  const training = train(generatedApp({ intents: 40, utterances: 20, entities: 2 }), {
    signal: stop.signal,
    onProgress: (done) => {
      progress.push(done)
      if (done > 0) stop.abort(new Error('no longer wanted'))
    },
  })
  await expect(training).rejects.toThrow('no longer wanted')
  expect(Math.max(...progress)).toBeLessThan(1)
})
