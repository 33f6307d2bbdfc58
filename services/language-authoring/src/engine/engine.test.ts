import { createHash } from 'node:crypto'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { AppDocument } from './document.ts'
import { predict, train } from './index.ts'
import { modelOf } from './testing/asking.ts'
import { generatedApp } from './testing/corpus.ts'

test('a generated corpus: sentences of the same kind that were not seen are understood', async () => {
  const size = { intents: sized(12, 100), utterances: 15, entities: 4 }
  const model = await modelOf(generatedApp(size))
  // Generated from our own word lists, not said by people; public corpora are for bench/language.
  const heldOut = generatedApp({ ...size, utterances: 25 }).utterances.filter((_, i) => i % 5 === 0)
  const [intents, entities] = [{ right: 0 }, { right: 0, there: 0 }]
  for (const { text, intent, entities: labels } of heldOut) {
    const found = predict(model, { query: text })
    if (found.topIntent === intent) intents.right++
    for (const { entity, startPos, endPos } of labels) {
      entities.there++
      if (
        found.entities.some(
          (other) => other.name === entity && other.start === startPos && other.length === endPos + 1 - startPos,
        )
      )
        entities.right++
    }
  }
  expect(intents.right / heldOut.length).toBeGreaterThan(0.9)
  expect(entities.right / entities.there).toBeGreaterThan(0.85)
})

test('the same document gives the same bytes, another one others', async () => {
  const digest = async (app: AppDocument) =>
    createHash('sha256')
      .update(await train(app))
      .digest('hex')
  const app = generatedApp({ intents: 3, utterances: 5, entities: 2 })
  const changed = { ...app, utterances: app.utterances.slice(1) }
  expect(await digest(structuredClone(app))).toBe(await digest(app))
  expect(await digest(changed)).not.toBe(await digest(app))
})

test('training that is no longer wanted ends', async () => {
  const stop = new AbortController()
  const seen: number[] = []
  const training = train(generatedApp({ intents: 40, utterances: 20, entities: 2 }), {
    signal: stop.signal,
    onProgress: (done) => {
      seen.push(done)
      if (done > 0) stop.abort(new Error('no longer wanted'))
    },
  })
  await expect(training).rejects.toThrow('no longer wanted')
  expect(Math.max(...seen)).toBeLessThan(1)
})
