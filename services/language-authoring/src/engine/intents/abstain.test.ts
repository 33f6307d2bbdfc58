import { expect, test } from 'vitest'
import { predict } from '../index.ts'
import { modelOf } from '../testing/asking.ts'
import { emptyApp, labelled } from '../testing/corpus.ts'
import { abstain, chooseMargin } from './abstain.ts'

test('None gets the uncertain probability mass, and none of the certain', () => {
  const after = (...scores: number[]) => {
    const result = Float32Array.from(scores)
    abstain(result, 0, 0.25)
    expect(result.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1)
    return result
  }
  expect([...after(0, 1, 0)]).toEqual([0, 1, 0])
  expect(after(0.01, 0.98, 0.01)[1]).toBeGreaterThan(0.97)
  const [none = 0, best = 0] = after(0.1, 0.25, 0.25, 0.2, 0.2)
  expect(none).toBeGreaterThan(best)
})

test('the margin is as wide as possible without losing correct sentences', () => {
  const sure = Array.from({ length: 990 }, () => ({ best: 0.9, none: 0, isRight: true }))
  const unsure = (count: number, isRight: boolean) =>
    Array.from({ length: count }, () => ({ best: 0.2, none: 0, isRight }))
  expect(chooseMargin([...sure, ...unsure(10, false)])).toBeCloseTo(0.4)
  expect(chooseMargin([...sure, ...unsure(4, true)])).toBeCloseTo(0.4)
  expect(chooseMargin([...sure, ...unsure(10, true)])).toBe(0.19)
  expect(chooseMargin(unsure(10, true))).toBe(0.1)
})

const sentences = {
  Bye: ['bye', 'good bye', 'see you', 'farewell'],
  Hello: ['hello', 'hi there', 'good morning', 'hey'],
  Order: ['order a large pizza', 'two small pizzas with ham', 'get me a medium pizza', 'pizza with cheese please'],
  Music: ['play some jazz', 'put on rock music', 'i want to hear the beatles', 'start the playlist'],
}
const app = (culture: string, intents = [...Object.keys(sentences), 'None']) =>
  emptyApp({
    culture,
    intents: intents.map((name) => ({ name })),
    utterances: Object.entries(sentences).flatMap(([intent, all]) => all.map((text) => labelled(intent, text))),
  })
const unknown = ['asdkjh', 'qwertz asdf', '\u{1f355}\u{1f355}', 'zzzz', '12345', '???', '']

test.each(['en-us', 'it-it'])('%s: a text without known words is None, even if no utterance is', async (culture) => {
  const model = await modelOf(app(culture))
  const best = (query: string) => predict(model, { query }).topIntent
  expect(Object.fromEntries(unknown.map((text) => [text, best(text)]))).toEqual(
    Object.fromEntries(unknown.map((text) => [text, 'None'])),
  )
  for (const [intent, all] of Object.entries(sentences)) expect(all.map(best)).toEqual(all.map(() => intent))
  expect(best('goodbye')).toBe('Bye')
})

test('words that only the encoder knows are understood; without an intent None, every text is', async () => {
  expect(predict(await modelOf(app('en-us')), { query: 'later' }).topIntent).toBe('Bye')
  const { intents } = predict(await modelOf(app('en-us', Object.keys(sentences))), { query: 'asdkjh' })
  expect(intents.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1)
})
