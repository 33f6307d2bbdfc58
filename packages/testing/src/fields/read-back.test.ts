import { client } from '@icosa/client'
import { named, oneOf, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { implement, invalid, notFound, ok, type Service } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import type { Seed } from '../requests.ts'
import { unlisted } from './listed.ts'
import { fieldsNotReadBack } from './read-back.ts'

const { get, put, patch } = keyed('X-Api-Key')

const text = Type.Optional(Type.String({ minLength: 1, maxLength: 40 }))
const Lamp = named('Lamp', {
  colour: text,
  brightness: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  mode: Type.Optional(oneOf('steady', 'blinking')),
  place: Type.Optional(named('Place', { room: text, floor: Type.Optional(Type.Integer()) })),
  socket: text,
  wire: text,
  shade: Type.Optional(oneOf('SHADE_UNSPECIFIED', 'SILK')),
  scent: Type.Optional(Type.Nullable(oneOf('rose'))),
})
const NewLamp = named('NewLamp', { ...Lamp.properties, code: text })

const contract = {
  putLamp: put('/lamps/{lampId}', { summary: 'Hang a lamp.', body: NewLamp, replies: { 200: Lamp } }),
  changeLamp: patch('/lamps/{lampId}', { summary: 'Change a lamp.', body: NewLamp, replies: { 200: Lamp } }),
  getLamp: get('/lamps/{lampId}', { summary: 'Look at a lamp.', replies: { 200: Lamp } }),
}

/**
 * Lamps that are hung less bright than was asked, never blink and forget their room; they have one socket and no wire. The shade that is left to them is
 * silk, and those that are to have no scent smell of roses, unlike those of which nothing was said.
 */
function lampService(): Service {
  const lamps = new Map<string, object>()
  const checked = ({
    code,
    ...lamp
  }: {
    code?: string
    socket?: string
    wire?: string
    shade?: string
    scent?: string | null
  }) => {
    if ((lamp.socket ?? 'E27') !== 'E27' || lamp.wire) invalid([{ at: 'body', message: 'does not fit' }])
    return { ...lamp, shade: 'SILK', ...(lamp.scent === null && { scent: 'rose' }) }
  }
  const handlers = implement(contract, {
    async putLamp({ params, body }) {
      const { brightness, mode, place, ...lamp } = { brightness: 0, ...body }
      const hung = { brightness: Math.min(brightness, 1), ...(place?.floor && { place: { floor: place.floor } }) }
      lamps.set(params.lampId, { ...checked(lamp), ...hung, ...(mode && { mode: 'steady' }) })
      const { code, ...said } = body
      return ok(said) // what is only said is not kept
    },
    async changeLamp({ params, body }) {
      lamps.set(params.lampId, { ...lamps.get(params.lampId), ...checked(body) })
      return ok({})
    },
    async getLamp({ params }) {
      return ok(lamps.get(params.lampId) ?? notFound('lamp', params.lampId))
    },
  })
  const dialect = keyedServer({ name: 'lamps', headers: ['X-Api-Key'] })
  return { name: 'lamps', title: 'Lamps', apis: [{ dialect, resources: { lamps: handlers } }] }
}

const seed: Seed = async (owner) => {
  await client(contract, owner).putLamp({ params: { lampId: 'l1' }, body: { colour: 'red', socket: 'E27' } })
  return { lampId: 'l1' }
}

test('a field that is dropped, changed, only written or never accepted is found, and no other', async () => {
  const service = lampService()
  await using app = await startTestApp(service)
  const found = await fieldsNotReadBack(app, service, seed)
  expect(Object.fromEntries(found)).toEqual({
    'putLamp brightness': expect.stringContaining('is not read back: getLamp answers'),
    'putLamp mode': expect.stringContaining('"blinking" is not read back'),
    'putLamp place.room': expect.stringContaining('is not read back'),
    'putLamp wire': expect.stringMatching(/^every value is refused, the last with 400/),
    'putLamp scent': expect.stringContaining('null is not read back'),
    'putLamp code': expect.stringContaining('nothing shows it'),
    'changeLamp wire': expect.stringMatching(/^every value is refused/),
    'changeLamp code': expect.stringContaining('nothing shows it'),
  })
  expect([...(await fieldsNotReadBack(app, service, seed, { listed: (id) => id === 'putLamp' })).keys()]).toEqual([
    'changeLamp wire',
    'changeLamp code',
  ])
})

test('a field is listed with a test that names it, and only as long as it is not read back', () => {
  const here = import.meta.filename
  const found = new Map([
    ['putLamp brightness', 'seen'],
    ['putLamp place.room', 'seen'],
    ['changeLamp code', 'seen'],
  ])
  const wrong = (listed: Record<string, string>) => unlisted(found, listed, ['putLamp', 'changeLamp'], here)
  const shown = 'src/fields/read-back.test.ts'
  expect(wrong({})).toEqual(Object.fromEntries(found))
  expect(wrong({ putLamp: `an action: ${shown}` })).toEqual(Object.fromEntries(found))
  const listed = { 'putLamp brightness': `at most 1: ${shown}`, 'putLamp place': `is it: ${shown}` }
  expect(wrong({ ...listed, '* code': `write-only: ${shown}` })).toEqual({})
  expect(wrong({ ...listed, '* code': 'write-only' })).toEqual({ '* code': expect.stringContaining('and not as') })
  expect(wrong({ ...listed, '* code': 'write-only: src/no.test.ts' })).toEqual({
    '* code': expect.stringContaining('does not exist'),
  })
  expect(wrong({ ...listed, '* code': 'write-only: src/free-port.test.ts' })).toEqual({
    '* code': expect.stringContaining('does not name code'),
  })
  expect(wrong({ ...listed, '* code': `write-only: ${shown}`, 'putLamp colour': `kept: ${shown}` })).toEqual({
    'putLamp colour': expect.stringContaining('not to be listed'),
  })
})
