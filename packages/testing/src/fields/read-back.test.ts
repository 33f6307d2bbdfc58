import { client } from '@icosa/client'
import { named, oneOf, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { Failure, implement, invalid, noContent, notFound, ok, type Service } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import type { Seed } from '../requests.ts'
import { unlisted } from './listed.ts'
import { fieldsNotReadBack } from './read-back.ts'

const { get, put, patch, post, delete: remove } = keyed('X-Api-Key')

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
 * Lamps that are dimmer than requested, never blink and forget their room; they accept one socket and no wire. An
 * unspecified shade becomes silk, and a null scent becomes rose, unlike an omitted one.
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
      const { code, ...fields } = body
      return ok(fields) // replies with fields that are not stored
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
  return { name: 'lamps', title: 'Lamps', moves: 'withRows', apis: [{ dialect, resources: { lamps: handlers } }] }
}

const seed: Seed = async (owner) => {
  await client(contract, owner).putLamp({ params: { lampId: 'l1' }, body: { colour: 'red', socket: 'E27' } })
  return { lampId: 'l1' }
}

test('only fields that are dropped, changed, write-only or never accepted are reported', async () => {
  const service = lampService()
  await using app = await startTestApp(service)
  const unread = await fieldsNotReadBack(app, service, seed)
  expect(Object.fromEntries(unread)).toEqual({
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

const NewPart = named('NewPart', { name: Type.String({ minLength: 1, maxLength: 40 }), colour: text })
const Part = named('Part', { id: Type.String(), ...NewPart.properties })
const Wish = named('Wish', { wish: Type.String({ minLength: 1, maxLength: 40 }) })

const shopContract = {
  addShade: post('/shades', { summary: 'Sew a shade.', body: NewPart, replies: { 201: Type.String() } }),
  getShade: get('/shades/{shadeId}', { summary: 'Look at a shade.', replies: { 200: Part } }),
  deleteShade: remove('/shades/{shadeId}', { summary: 'Burn a shade.', replies: { 204: null } }),
  addBulb: post('/bulbs', { summary: 'Blow a bulb.', body: NewPart, replies: { 201: Type.String() } }),
  getBulb: get('/bulbs/{bulbId}', { summary: 'Look at a bulb.', replies: { 200: Part } }),
  addWish: post('/shades/{shadeId}/wishes', { summary: 'Wish.', body: Wish, replies: { 204: null } }),
  listWishes: get('/shades/{shadeId}/wishes', { summary: 'List wishes.', replies: { 200: Type.Array(Wish) } }),
  deleteWish: remove('/shades/{shadeId}/wishes', { summary: 'Give up.', body: Wish, replies: { 204: null } }),
}

/** A shop that replies with bare ids, has unique names, limits of three shades and one wish, and no coloured bulbs. */
function shopService(): Service {
  const parts = new Map<string, { id: string; name: string; colour?: string }>()
  const wishes: { wish: string }[] = []
  const add = (kind: string, { name, ...part }: { name: string; colour?: string }) => {
    const all = [...parts.keys()].filter((id) => id.startsWith(kind))
    const isTaken = [...parts.values()].some((other) => other.name === name)
    if (isTaken || (kind === 'shade' && all.length === 3)) throw new Failure('conflict', 'There is no room for it.')
    const id = `${kind}-${parts.size}-${all.length}`
    parts.set(id, { id, name, ...part })
    return { status: 201, body: id } as const
  }
  const unread = (id: string) => ok(parts.get(id) ?? notFound('part', id))
  const handlers = implement(shopContract, {
    addShade: async ({ body }) => add('shade', body),
    getShade: async ({ params }) => unread(params.shadeId),
    async deleteShade({ params }) {
      parts.delete(params.shadeId)
      return noContent()
    },
    addBulb: async ({ body: { name } }) => add('bulb', { name }),
    getBulb: async ({ params }) => unread(params.bulbId),
    async addWish({ body }) {
      if (wishes.length > 0) throw new Failure('conflict', 'One wish is enough.')
      wishes.push(body)
      return noContent()
    },
    listWishes: async () => ok(wishes),
    async deleteWish({ body: { wish } }) {
      wishes.splice(0, wishes[0]?.wish === wish ? 1 : 0)
      return noContent()
    },
  })
  const dialect = keyedServer({ name: 'shop', headers: ['X-Api-Key'] })
  return { name: 'shop', title: 'Shop', moves: 'withRows', apis: [{ dialect, resources: { shop: handlers } }] }
}

test('a created resource is read by the id in the reply, and no other resource in its place', async () => {
  const service = shopService()
  await using app = await startTestApp(service)
  const unread = await fieldsNotReadBack(app, service, async (owner) => {
    const shop = client(shopContract, owner)
    const { body: shadeId } = await shop.addShade({ body: { name: 'round', colour: 'red' } })
    const { body: bulbId } = await shop.addBulb({ body: { name: 'bright', colour: 'red' } })
    return { shadeId, bulbId }
  })
  expect(Object.fromEntries(unread)).toEqual({
    'addBulb colour': expect.stringMatching(/is not read back: getBulb answers .*bulb-/),
  })
})

test('a field is listed with a test that names it, and only while it is not read back', () => {
  const file = import.meta.filename
  const unread = new Map([
    ['putLamp brightness', 'seen'],
    ['putLamp place.room', 'seen'],
    ['changeLamp code', 'seen'],
  ])
  const wrong = (listed: Record<string, string>) => unlisted(unread, listed, ['putLamp', 'changeLamp'], file)
  const shown = 'src/fields/read-back.test.ts'
  expect(wrong({})).toEqual(Object.fromEntries(unread))
  expect(wrong({ putLamp: `an action: ${shown}` })).toEqual(Object.fromEntries(unread))
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
