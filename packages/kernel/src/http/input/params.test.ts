import { identifier, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { implement, ok } from '../../implement.ts'
import type { Service } from '../../service.ts'
import { parseJson } from '../body/json.ts'

const Nothing = Type.Object({})
const { get: read } = keyed('X-Key', { kind: Type.String({ pattern: '^[a-z]{1,5}$', description: '1 to 5 letters' }) })
const named = {
  readThing: read('/{kind}/{thing}/{any}', {
    summary: 'Read a thing.',
    query: Type.Object({ word: Type.Optional(Type.String()), words: Type.Optional(Type.Array(Type.String())) }),
    params: { thing: identifier('thing', { maxLength: 20 }) },
    replies: { 200: Nothing },
  }),
}
const service: Service = {
  name: 'things',
  title: 'Things',
  moves: 'withRows',
  apis: [
    {
      dialect: keyedServer({ name: 'things', headers: ['X-Key'] }),
      resources: { things: implement(named, { readThing: async () => ok({}) }) },
    },
  ],
}

test('path parameters are checked before handlers: invalid, not found, or unreadable for the router', async () => {
  await using app = await startTestApp(service)
  const headers = { 'x-key': await app.key('ada') }
  const ask = async (path: string) => {
    const answer = await fetch(`${app.url}/things${path}`, { headers })
    const { error } = (await answer.json()) as { error?: { message: string; details?: string[] } }
    return [answer.status, error?.details?.join() ?? error?.message]
  }
  const [tooLong, nul] = ['x'.repeat(21), 'a%00b']
  expect(await ask('/a/b/c%2Fd')).toEqual([200, undefined])
  expect(await ask('/A1/b/c')).toEqual([400, 'path/kind must be 1 to 5 letters'])
  expect(await ask(`/${nul}/b/c`)).toEqual([400, 'path/kind must be 1 to 5 letters'])
  expect(await ask(`/a/${tooLong}/c`)).toEqual([404, `The thing '${tooLong}' was not found.`])
  expect(await ask(`/a/${nul}/c`)).toEqual([404, "The thing 'a\0b' was not found."])
  expect(await ask(`/a/b/${nul}`)).toEqual([400, 'path/any must be text without NUL'])
  for (const unreadable of ['%', '%zz', '%ff', 'x'.repeat(3_000)])
    expect(await ask(`/a/b/${unreadable}`)).toEqual([400, expect.stringContaining('The path cannot be parsed')])
})

test('text that PostgreSQL cannot store is refused when a request is read, with its path', async () => {
  await using app = await startTestApp(service)
  const headers = { 'x-key': await app.key('ada') }
  for (const query of ['word=a%00', 'words=a&words=%00'])
    expect((await fetch(`${app.url}/things/a/b/c?${query}`, { headers })).status, query).toBe(400)
  const read = (json: string) => () => parseJson(Buffer.from(json))
  for (const text of ['\\u0000', '\\ud83d', '\\uDE00', '\\ude00\\ud83d']) {
    expect(read(`{"a":[{"b":"${text}"}]}`)).toThrow('body/a/0/b contains a NUL or an unpaired surrogate')
    expect(read(`{"a":{"${text}":1}}`)).toThrow('body/a contains a NUL')
  }
  expect(read('{"a":"\\ud83d\\ude00 \\\\u0000 \\u00e4"}')()).toEqual({ a: '😀 \\u0000 ä' })
})
