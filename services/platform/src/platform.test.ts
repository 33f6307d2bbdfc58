import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { clock, state } from './contract.ts'
import { platform } from './index.ts'
import { keyHeader } from './names.ts'

test('the clock can be set, moved, frozen and reset', async () => {
  await using app = await startTestApp(platform)
  const { getClock, moveClock } = app.client(clock, { headers: { [keyHeader]: await app.key('ada') } })
  const move = async (body: Parameters<typeof moveClock>[0]['body']) => (await moveClock({ body })).body.now
  const started = Date.now()

  expect(await move({ to: '2040-06-01T00:00:00Z', frozen: true })).toBe('2040-06-01T00:00:00.000Z')
  expect(await move({ byMs: 90_000 })).toBe('2040-06-01T00:01:30.000Z')
  await expect.poll(async () => (await getClock({})).body.now).toBe('2040-06-01T00:01:30.000Z')
  await move({ frozen: false })
  await expect
    .poll(async () => Date.parse((await getClock({})).body.now))
    .toBeGreaterThan(Date.UTC(2040, 5, 1, 0, 1, 30))
  expect(Date.parse(await move({ reset: true }))).toBeGreaterThanOrEqual(started)
  await expect.poll(async () => (await getClock({})).body.now < '2040').toBe(true)
})

test('a reset deletes the state of one tenant or one service', async () => {
  await using app = await startTestApp({ services: [platform, example] })
  const { resetState } = app.client(state, { headers: { [keyHeader]: await app.key('root') } })
  const note = async (tenant: string) => {
    const headers = { 'x-api-key': await app.key(tenant), 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'A note', text: '' })
    await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body })
  }
  for (const tenant of ['ada', 'bob', 'cleo']) await note(tenant)

  expect((await resetState({ body: { service: 'example', tenant: 'ada' } })).body).toEqual({ rows: 1 })
  expect((await resetState({ body: { tenant: 'bob' } })).body).toEqual({ rows: 1 })
  expect((await resetState({ body: { service: 'example' } })).body).toEqual({ rows: 1 })
  await expect(resetState({ body: { service: 'nothing' } })).rejects.toMatchObject({ status: 400 })
})

test('an unknown field is refused by name and changes nothing', async () => {
  await using app = await startTestApp(platform)
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${app.url}/platform${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  }
  const refused = { status: 400, text: expect.stringContaining('advanceMs') }
  expect(await send('PUT', '/clock', { advanceMs: 1_000 })).toEqual(refused)
  expect(await send('POST', '/reset', { advanceMs: 1_000 })).toEqual(refused)
  expect((await send('PUT', '/clock', { byMs: 1_000 })).status).toBe(200)
})

test('the error for a missing key names the header', async () => {
  await using app = await startTestApp(platform)
  const response = await fetch(`${app.url}/platform/clock`)
  expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('X-Api-Key')])
})
