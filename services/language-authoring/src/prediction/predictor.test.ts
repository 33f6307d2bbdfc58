import { expect, test } from 'vitest'
import { train } from '../engine/index.ts'
import { generatedApp } from '../engine/testing/corpus.ts'
import { defaultSettings } from '../index.ts'
import { serviceName } from '../names.ts'
import { start } from '../testing/app.ts'
import { openPredictor } from './predictor.ts'

test('an aborted query does not end its thread, which has models of others', async () => {
  await using app = await start()
  const { metrics, blobsOf } = app.platform
  const bytes = await train({ ...generatedApp({ intents: 5, utterances: 5, entities: 1 }), culture: 'de-de' })
  const model = `models/some-app/some-name-${'0'.repeat(64)}`
  await blobsOf(serviceName, 'acme').put(model, bytes)
  let reads = 0
  const counted: typeof blobsOf = (...args) => {
    reads++
    return blobsOf(...args)
  }
  const predictor = openPredictor({ ...defaultSettings, predictors: 1 }, { metrics, blobsOf: counted })
  try {
    const query = { query: 'open the door' }
    await predictor.predictAll('acme', model, [query])
    const hangUp = new AbortController()
    const long = predictor.predictAll('acme', model, Array(20_000).fill(query), hangUp.signal)
    setTimeout(() => hangUp.abort(new Error('hung up')), 20)
    await expect(long).rejects.toThrow('hung up')
    await predictor.predictAll('acme', model, [query])
    expect(reads, 'a new thread would have read the model again').toBe(1)
  } finally {
    await predictor.close()
  }
}, 60_000)
