import { upload } from '@icosa/client'
import { type Db, jobsIn, operationsIn, registered, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { example } from '../index.ts'
import * as contract from './contract.ts'
import { countWords } from './jobs.ts'

const as = (key: string) => ({ headers: { 'x-api-key': key } })
const shopping = { title: 'Shopping', text: 'Bread' }

test('a note is created, read, listed in pages, published in the background and deleted', async () => {
  await using app = await startTestApp(example)
  const writer = app.client(contract.notes, as(await app.key('ada')))

  const { body: note } = await writer.createNote({ body: shopping })
  expect(await writer.getNote({ params: { noteId: note.id } })).toMatchObject({ status: 200, body: shopping })

  for (const title of ['Alpha', 'Beta', 'Gamma']) await writer.createNote({ body: { title, text: '' } })
  const { body: first } = await writer.listNotes({ query: { limit: 3 } })
  expect(first.notes.map(({ title }) => title)).toEqual(['Alpha', 'Beta', 'Gamma'])
  const { body: second } = await writer.listNotes({ query: { limit: 3, token: first.nextToken ?? '' } })
  expect(second).toMatchObject({ notes: [{ title: 'Shopping' }] })
  expect(second.nextToken).toBeUndefined()

  const published = await writer.publishNote({ params: { noteId: note.id } })
  const poll = String(published.headers.get('operation-location'))
  const ask = async () => (await fetch(poll, { headers: { 'x-api-key': await app.key('ada') } })).json()
  expect(published).toMatchObject({ status: 202, body: { publishedTimes: 0 } })
  expect(published.headers.get('retry-after')).toBe('1')
  expect(await ask()).toMatchObject({ status: 'notstarted' })
  await app.jobs.drain()
  expect(await ask()).toMatchObject({
    status: 'succeeded',
    percentComplete: 100,
    resourceLocation: `/notes/${note.id}`,
  })
  expect(await writer.getNote({ params: { noteId: note.id } })).toMatchObject({ body: { publishedTimes: 1 } })
  const known = () => app.platform.database.many(sql`select id from ${registered('ada')} as r`)
  expect(await known()).toEqual([{ id: `/notes/${note.id}` }])

  expect(await writer.deleteNote({ params: { noteId: note.id } })).toMatchObject({ status: 204 })
  await expect(writer.getNote({ params: { noteId: note.id } })).rejects.toMatchObject({ status: 404 })
  expect(await known()).toEqual([])
})

test('words are counted in the background, off the event loop', async () => {
  await using app = await startTestApp(example)
  const writer = app.client(contract.notes, as(await app.key('ada')))
  const { body: note } = await writer.createNote({ body: { title: 'Shopping', text: 'Bread and  butter' } })
  const { queue, clock, database } = app.platform
  const operationsOf = (db: Db) => operationsIn(db, clock, () => jobsIn(queue, db, 'example', 'ada'), 'example', 'ada')
  const { id } = await database.transaction((db) => operationsOf(db).start(countWords, { noteId: note.id }))
  await app.jobs.drain()
  expect(await operationsOf(database).find(id)).toMatchObject({ status: 'succeeded', result: { words: 3 } })
})

test('another tenant sees nothing, and a key grants only its permissions', async () => {
  await using app = await startTestApp(example)
  const { body: note } = await app.client(contract.notes, as(await app.key('ada'))).createNote({ body: shopping })

  const bob = app.client(contract.notes, as(await app.key('bob')))
  await expect(bob.getNote({ params: { noteId: note.id } })).rejects.toMatchObject({ status: 404 })
  expect((await bob.listNotes({})).body.notes).toEqual([])

  const reader = app.client(contract.notes, as(await app.key('ada', ['example:get*', 'example:list*'])))
  expect((await reader.listNotes({})).body.notes).toHaveLength(1)
  await expect(reader.deleteNote({ params: { noteId: note.id } })).rejects.toMatchObject({
    status: 403,
    body: { error: { message: 'The credential lacks the permission example:deleteNote.' } },
  })
  await expect(app.client(contract.notes, as('wrong')).listNotes({})).rejects.toMatchObject({ status: 401 })
})

test('a file is attached to a note, read whole and in part, and deleted with it', async () => {
  await using app = await startTestApp(example)
  const headers = { 'x-api-key': await app.key('ada') }
  const writer = app.client(contract.notes, { headers })
  const params = { noteId: (await writer.createNote({ body: shopping })).body.id }
  const at = `${app.url}/example/notes/${params.noteId}/attachment`
  await expect(writer.getAttachment({ params })).rejects.toMatchObject({ status: 404 })

  await writer.putAttachment({ params, body: upload(new Blob(['0123456789']), 'image/png') })
  const { body, headers: replyHeaders } = await writer.getAttachment({ params })
  expect(Buffer.from(body).toString()).toBe('0123456789')
  expect(replyHeaders.get('content-type')).toBe('image/png')
  const part = await fetch(at, { headers: { ...headers, range: 'bytes=2-4' } })
  expect([part.status, await part.text()]).toEqual([206, '234'])
  const again = await fetch(at, { headers: { ...headers, 'if-none-match': replyHeaders.get('etag') ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])

  await writer.deleteNote({ params })
  await app.jobs.drain()
  expect((await app.platform.blobs.list('example/', { limit: 10 })).items).toEqual([])
})
