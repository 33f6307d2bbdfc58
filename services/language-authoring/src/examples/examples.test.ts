import { expect, test } from 'vitest'
import { callersOf, newApp, start } from '../testing/app.ts'

test('a batch reports invalid examples, and stores the others', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  await calls.entities.add({ params: at, body: { name: 'City' } })
  const label = (entityName: string) => [{ entityName, startCharIndex: 3, endCharIndex: 6 }]
  const response = await calls.examples.batch({
    params: at,
    body: [
      { text: 'to Rome', intentName: 'None', entityLabels: label('City') },
      { text: 'to Oslo', intentName: 'None', entityLabels: label('Town') },
      { text: 'to Lima', intentName: 'Nobody' },
    ],
  })
  expect(response.status).toBe(207)
  expect(response.body).toEqual([
    { value: { UtteranceText: 'to Rome', ExampleId: 1 }, hasError: false },
    {
      hasError: true,
      error: { code: 'FAILED', message: expect.stringMatching(/^Example 1, 'to Oslo': .*no entity 'Town'/) },
    },
    {
      hasError: true,
      error: { code: 'FAILED', message: expect.stringMatching(/^Example 2, 'to Lima': .*no intent 'Nobody'/) },
    },
  ])
  expect((await calls.examples.list({ params: at })).body).toMatchObject([
    {
      id: 1,
      text: 'to Rome',
      tokenizedText: ['to', 'rome'],
      entityLabels: [{ entityName: 'City', startTokenIndex: 1, endTokenIndex: 1 }],
    },
  ])
})

test('a label may end with the length of the text, as in scripts that add the length of the value to its start', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  await calls.entities.add({ params: at, body: { name: 'City' } })
  const add = (endCharIndex: number) =>
    calls.examples.add({
      params: at,
      body: {
        text: 'to Rome',
        intentName: 'None',
        entityLabels: [{ entityName: 'City', startCharIndex: 3, endCharIndex }],
      },
    })
  await add(7)
  expect((await calls.examples.list({ params: at })).body).toMatchObject([
    { entityLabels: [{ entityName: 'City', startTokenIndex: 1, endTokenIndex: 1 }] },
  ])
  await expect(add(8)).rejects.toMatchObject({ status: 400 })
})

test('labels are added nested or flat, and shown as requested; the same text again replaces them', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  await calls.entities.add({ params: at, body: { name: 'Trip', children: [{ name: 'Target' }] } })
  const whole = { entityName: 'Trip', startCharIndex: 7, endCharIndex: 20 }
  const part = { entityName: 'Target', startCharIndex: 17, endCharIndex: 20 }
  const example = { text: 'book a flight to Rome', intentName: 'None' }
  const add = (entityLabels: object[]) =>
    calls.examples.add({ params: at, body: { ...example, entityLabels: entityLabels as never } })
  const { body: first } = await add([{ ...whole, children: [part] }])
  const { body: second } = await add([part, whole])
  expect(second.ExampleId).toBe(first.ExampleId)
  const labelsOf = async (enableNestedChildren: boolean) =>
    (await calls.examples.list({ params: at, query: { enableNestedChildren } })).body[0]?.entityLabels
  const target = { entityName: 'Target', startTokenIndex: 4, endTokenIndex: 4 }
  const trip = { entityName: 'Trip', startTokenIndex: 2, endTokenIndex: 4 }
  expect(await labelsOf(false)).toEqual([trip, target])
  expect(await labelsOf(true)).toEqual([{ ...trip, children: [{ ...target, children: [] }] }])
  await expect(add([part])).rejects.toMatchObject({ status: 400 })
  await calls.examples.delete({ params: { ...at, exampleId: String(first.ExampleId) } })
  expect((await calls.examples.list({ params: at })).body).toEqual([])
})
