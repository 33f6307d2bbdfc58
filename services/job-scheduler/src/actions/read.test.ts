import { expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'

test('authentication of the type NotSpecified is omitted', async () => {
  await using app = await start()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const authentication = { type: 'NotSpecified' as const, username: 'ada' }
  const action = request('https://example.com/', { authentication })
  await jobs.createOrUpdate({ params: at('job'), body: { properties: { startTime: '9000-01-01', action } } })
  const { body } = await jobs.get({ params: at('job') })
  expect(body.properties?.action?.request).not.toHaveProperty('authentication')
})
