import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { example } from '../index.ts'
import * as contract from './contract.ts'

const as = (key: string) => ({ headers: { 'x-api-key': key } })
const shopping = { title: 'Shopping', text: 'Bread' }

test('a note is written, read, listed by pages, published in the background and deleted', async () => {
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

  expect(await writer.deleteNote({ params: { noteId: note.id } })).toMatchObject({ status: 204 })
  await expect(writer.getNote({ params: { noteId: note.id } })).rejects.toMatchObject({ status: 404 })
})

test('a stranger sees nothing, and a key does only what it may', async () => {
  await using app = await startTestApp(example)
  const { body: note } = await app.client(contract.notes, as(await app.key('ada'))).createNote({ body: shopping })

  const stranger = app.client(contract.notes, as(await app.key('bob')))
  await expect(stranger.getNote({ params: { noteId: note.id } })).rejects.toMatchObject({ status: 404 })
  expect((await stranger.listNotes({})).body.notes).toEqual([])

  const reader = app.client(contract.notes, as(await app.key('ada', ['example:get*', 'example:list*'])))
  expect((await reader.listNotes({})).body.notes).toHaveLength(1)
  await expect(reader.deleteNote({ params: { noteId: note.id } })).rejects.toMatchObject({
    status: 403,
    body: { error: { message: 'The credential lacks the permission example:deleteNote.' } },
  })
  await expect(app.client(contract.notes, as('wrong')).listNotes({})).rejects.toMatchObject({ status: 401 })
})
