import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { chance } from './chance.ts'
import { openFaults } from './faults.ts'

const [resource] = Object.keys(example.apis[0].resources)

test('the same seed chooses the same calls, about as many as the share', () => {
  const chosen = (seed: number) => Array.from({ length: 1000 }, (_, n) => chance(seed, 'backup:x error', n) < 0.1)
  expect(chosen(7)).toEqual(chosen(7))
  expect(chosen(7)).not.toEqual(chosen(8))
  const hits = chosen(7).filter(Boolean).length
  expect(hits).toBeGreaterThan(70)
  expect(hits).toBeLessThan(130)
})

test('faults that could never happen are refused, with suggestions', () => {
  expect(resource).toBeDefined()
  const faults = openFaults(() => [example])
  expect(() => faults.add({ target: 'example:lisNotes', kind: 'drop' })).toThrow("Did you mean 'example:listNotes'?")
  expect(() => faults.add({ target: 'example:listNotes', kind: 'stop' })).toThrow('is not long-running work')
  for (const target of ['example:nonsense', 'example:listNotes'])
    expect(() => faults.add({ target, kind: 'stop' })).toThrow(/Of this service, example:\w+.* can be stopped/)
  expect(() => faults.add({ target: 'nonsense', kind: 'stop' })).toThrow(
    /^'nonsense' is not .* These can be stopped: example:/,
  )
  expect(() => faults.add({ target: 'example:listNotes', kind: 'latency' })).toThrow('how long')
  expect(() => faults.add({ target: 'example:listNotes', kind: 'error', share: 2 })).toThrow('at most 100%')
  expect(() => faults.add({ target: 'example:listNotes', kind: 'error', code: 'Nonsense' })).toThrow('has no error')
  expect(() => faults.add({ target: '*', kind: 'drop', code: '500' })).toThrow('Only an error has a code')
  expect(() => faults.clear('f9')).toThrow("no fault 'f9'")
  expect(faults.list()).toEqual([])
})

test('a fault has a share and a number of hits, and can be cleared', async () => {
  const faults = openFaults(() => [example])
  await using app = await startTestApp({ services: [example], faultInjector: faults.injector })
  const key = await app.key('ada')
  const list = async () => (await fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': key } })).status
  const listStatuses = async (count: number) => {
    const statuses: number[] = []
    for (let n = 0; n < count; n++) statuses.push(await list())
    return statuses
  }
  faults.add({ target: 'example:list*', kind: 'throttle', times: 2 })
  expect(await listStatuses(4)).toEqual([429, 429, 200, 200])
  faults.clear()
  const run = async () => {
    faults.add({ target: 'example:listNotes', kind: 'error', share: 0.4, seed: 3 })
    const received = await listStatuses(30)
    expect(faults.list()[0]).toMatchObject({ seen: 30, hit: received.filter((status) => status === 503).length })
    expect(faults.clear()).toBe(1)
    return received
  }
  const first = await run()
  expect(new Set(first)).toEqual(new Set([200, 503]))
  expect(await run()).toEqual(first)
  expect(await listStatuses(3)).toEqual([200, 200, 200])
})

test('a job that is stopped midway is retried, and succeeds', async () => {
  const faults = openFaults(() => [example])
  const worker = { concurrency: 4, background: true }
  await using app = await startTestApp({ services: [example], faultInjector: faults.injector, worker })
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const at = `${app.url}/example/notes`
  const creation = await fetch(at, { method: 'POST', headers, body: JSON.stringify({ title: 'One', text: 'words' }) })
  const { id } = (await creation.json()) as { id: string }
  faults.add({ target: 'example:publishNote', kind: 'stop', times: 1 })
  const started = await fetch(`${at}/${id}/publish`, { method: 'POST', headers })
  expect(started.status).toBe(202)
  await expect.poll(() => faults.list()[0]?.hit).toBe(1)
  const operation = new URL(started.headers.get('operation-location') ?? started.headers.get('location') ?? '', app.url)
  await expect
    .poll(async () => ((await (await fetch(operation, { headers })).json()) as { status: string }).status)
    .toBe('succeeded')
  expect(faults.list()[0]).toMatchObject({ seen: 1, hit: 1, on: 'jobs' })
})
