import { buffer } from 'node:stream/consumers'
import { raw, sql } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDescriptor, persistedDescriptors } from '../descriptors/sealing.ts'
import { defaultSettings, faceRecognition } from '../index.ts'
import { type Callers, callersOf, faceIn, photo } from '../testing/app.ts'
import { photosOf } from '../testing/photos.ts'
import { galleryKeyOf, opened } from '../training/gallery.ts'

const lines: string[] = []
let app: TestApp
let acme: Callers
beforeAll(async () => {
  const log = createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } })
  app = await startTestApp({ services: [faceRecognition(defaultSettings)], log })
  acme = await callersOf(app)
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

/** Every row of every table, as text: bytes in hexadecimal. */
async function rows(): Promise<string> {
  const { database } = app.platform
  const tables = await database.many<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`)
  let text = ''
  for (const { name } of tables) {
    const all = await database.many<{ row: string }>(sql`select t::text as row from ${raw(name)} as t`)
    text += all.map(({ row }) => row).join('\n')
  }
  return text
}

/** Every blob, encrypted and decrypted. */
async function blobs(): Promise<Buffer[]> {
  const { blobs: store, cellVault } = app.platform
  const vault = await cellVault.of('acme')
  const { items } = await store.list('', { limit: 1_000 })
  const contents: Buffer[] = []
  for (const { key } of items) {
    contents.push(await buffer((await store.get(key)).body))
    const name = key.replace('face-recognition/acme/', '')
    const { body } = await store.get(key)
    for await (const piece of opened(galleryKeyOf(vault), name, body)) contents.push(piece)
  }
  return contents
}

const hexOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const [portrait = Buffer.alloc(0), another = Buffer.alloc(0)] = photosOf(1)
const [friend = Buffer.alloc(0)] = photosOf(0)
const personGroupId = 'friends'

async function descriptorOf(id: string): Promise<Buffer> {
  const { database, cellVault } = app.platform
  const vault = await cellVault.of('acme')
  const row = await database.one<{ descriptor: Buffer }>(sql`
    select descriptor from face_recognition.persisted_faces where id = ${id}`)
  const { buffer: bytes } = openDescriptor(vault, persistedDescriptors, { tenant: 'acme', id }, row.descriptor)
  return Buffer.from(bytes)
}

async function addPerson(name: string, content: Buffer) {
  const { personId } = (await acme.persons.create({ params: { personGroupId }, body: { name } })).body
  const params = { personGroupId, personId }
  const { persistedFaceId } = (await acme.persons.addFace({ params, body: photo(content) })).body
  return { personId, persistedFaceId, descriptor: await descriptorOf(persistedFaceId) }
}

test('nothing is left of a deleted person: not in tables, blobs, galleries or logs', async () => {
  await acme.groups.create({ params: { personGroupId }, body: { name: 'Friends' } })
  const jess = await addPerson('Jessica Unforgettable', portrait)
  const emily = await addPerson('Emily', friend)
  await acme.groups.train({ params: { personGroupId } })
  await app.jobs.drain()
  const faceIds = [await faceIn(acme, another)]
  const identify = () => acme.comparison.identify({ body: { faceIds, personGroupId } })
  expect((await identify()).body[0]?.candidates).toMatchObject([{ personId: jess.personId }])

  // The search below works: the descriptor is in the gallery, but nowhere in the clear.
  expect((await blobs()).some((bytes) => bytes.includes(jess.descriptor))).toBe(true)
  const sealedOnly = async () => {
    const text = await rows()
    const { items } = await app.platform.blobs.list('', { limit: 1_000 })
    for (const { key } of items) {
      const bytes = await buffer((await app.platform.blobs.get(key)).body)
      for (const { descriptor } of [jess, emily]) expect(bytes.includes(descriptor.subarray(0, 16))).toBe(false)
    }
    for (const { descriptor } of [jess, emily]) {
      expect(text).not.toContain(descriptor.subarray(0, 16).toString('hex'))
      expect(text).not.toContain(descriptor.toString('base64').slice(0, 24))
    }
    for (const image of [portrait, friend, another]) {
      const middle = image.subarray(image.length >> 1, (image.length >> 1) + 24)
      expect(text).not.toContain(middle.toString('hex'))
      expect(text).not.toContain(middle.toString('base64'))
    }
  }
  await sealedOnly()

  await acme.persons.delete({ params: { personGroupId, personId: jess.personId } })
  expect((await identify()).body[0]?.candidates).toEqual([]) // immediately
  await app.jobs.drain()
  expect((await identify()).body[0]?.candidates).toEqual([])
  const text = await rows()
  for (const word of [jess.personId, jess.persistedFaceId, 'Unforgettable']) expect(text).not.toContain(word)
  for (const bytes of await blobs()) {
    expect(bytes.includes(jess.descriptor)).toBe(false)
    expect(bytes.includes(hexOf(jess.persistedFaceId))).toBe(false)
    expect(bytes.includes(hexOf(jess.personId))).toBe(false)
  }
  await sealedOnly()
  const log = lines.join('')
  expect(log).toContain('Face_Detect')
  for (const word of [
    jess.personId,
    jess.persistedFaceId,
    'Unforgettable',
    jess.descriptor.toString('base64').slice(0, 24),
  ])
    expect(log).not.toContain(word)
}, 60_000)

test('nothing is left of a deleted group', async () => {
  await acme.groups.delete({ params: { personGroupId } })
  await app.jobs.drain()
  const { database } = app.platform
  for (const table of ['collections', 'persons', 'persisted_faces'])
    expect(await database.many(sql`select * from face_recognition.${raw(table)}`)).toEqual([])
  expect(await blobs()).toEqual([])
})
