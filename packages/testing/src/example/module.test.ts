import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import { module } from './module.ts'
import * as contract from './notes/contract.ts'
import { settings } from './settings.ts'

const facts = {
  baseUrl: 'http://127.0.0.1',
  region: 'us-east-1',
  scratchDirectory: '.icosa',
  hasDevelopmentDatabase: true,
}

test('a setting reaches the runtime of the service', async () => {
  const pressMs = 250
  const service = await module.create(settings.read({ ICOSA_EXAMPLE_PRESS_MS: String(pressMs) }), facts)
  await using app = await startTestApp(service)
  const writer = app.client(contract.notes, { headers: { 'x-api-key': await app.key('ada') } })
  const { body: note } = await writer.createNote({ body: { title: 'Slow', text: '' } })
  const began = performance.now()
  await writer.publishNote({ params: { noteId: note.id } })
  await app.jobs.drain()
  expect(performance.now() - began).toBeGreaterThanOrEqual(pressMs)
})

test('an invalid setting is reported', () => {
  expect(settings.problems({ ICOSA_EXAMPLE_PRESS_MS: 'slowly' })).toEqual([
    "ICOSA_EXAMPLE_PRESS_MS is 'slowly': set it to a whole number of milliseconds from 0 to 60000, such as 250.",
  ])
})
