import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { platform } from './index.ts'

test('a field that does not exist is refused by name, and nothing moves or goes', async () => {
  await using app = await startTestApp(platform)
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${app.url}/platform${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text() }
  }
  const refused = { status: 400, text: expect.stringContaining('advanceMs') }
  expect(await send('PUT', '/clock', { advanceMs: 1_000 })).toEqual(refused)
  expect(await send('POST', '/reset', { advanceMs: 1_000 })).toEqual(refused)
  expect((await send('PUT', '/clock', { byMs: 1_000 })).status).toBe(200)
})

test('a caller without a key learns which header it goes in', async () => {
  await using app = await startTestApp(platform)
  const answer = await fetch(`${app.url}/platform/clock`)
  expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('X-Api-Key')])
})
