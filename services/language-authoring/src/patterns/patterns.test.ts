import { expect, test } from 'vitest'
import { callersOf, newApp, start } from '../testing/app.ts'

test('patterns: addPattern, batchAddPatterns, updatePattern, updatePatterns, deletePatterns; batches are atomic', async () => {
  await using app = await start()
  const { patterns, ...calls } = await callersOf(app)
  const at = await newApp(calls as never)
  const { body: intentId } = await calls.intents.add({ params: at, body: { name: 'Go' } })
  const { body: entityId } = await calls.entities.add({ params: at, body: { name: 'City' } })
  await calls.roles.create({ params: { ...at, entityId }, body: { name: 'to' } })
  const first = await patterns.addPattern({ params: at, body: { pattern: 'go [now] to {City:to}', intent: 'Go' } })
  expect(first.body).toEqual({ id: expect.any(String), pattern: 'go [now] to {City:to}', intent: 'Go' })
  for (const pattern of ['to {Town}', 'to {City:from}', 'to [the', 'to )', '((((a))))'])
    await expect(patterns.addPattern({ params: at, body: { pattern, intent: 'Go' } })).rejects.toMatchObject({
      status: 400,
    })
  const newPatterns = ['a', 'b'].map((pattern) => ({ pattern, intent: 'Go' }))
  const { body: added } = await patterns.batchAddPatterns({ params: at, body: newPatterns })
  const texts = async () => (await patterns.listPatterns({ params: at })).body.map(({ pattern }) => pattern)
  await expect(
    patterns.batchAddPatterns({ params: at, body: [{ pattern: 'c', intent: 'Go' }, ...newPatterns] }),
  ).rejects.toMatchObject({ status: 409 })
  expect(await texts()).toEqual(['go [now] to {City:to}', 'a', 'b'])
  const [a, b] = [added[0]?.id ?? '', added[1]?.id ?? '']
  const changed = await patterns.updatePattern({
    params: { ...at, patternId: a },
    body: { id: a, pattern: 'A', intent: 'None' },
  })
  expect(changed.body).toEqual({ id: a, pattern: 'A', intent: 'None' })
  await patterns.updatePatterns({ params: at, body: [{ id: b, pattern: 'B', intent: 'Go' }] })
  expect(
    (await patterns.listIntentPatterns({ params: { ...at, intentId } })).body.map(({ pattern }) => pattern),
  ).toEqual(['go [now] to {City:to}', 'B'])
  await expect(patterns.deletePatterns({ params: at, body: [a, at.appId] })).rejects.toMatchObject({ status: 404 })
  await patterns.deletePatterns({ params: at, body: [a, b] })
  expect(await texts()).toEqual(['go [now] to {City:to}'])
})
