import { expect, test } from 'vitest'
import { startTestApp } from '../../app.ts'
import { example } from '../index.ts'
import { notes } from '../notes/contract.ts'
import { press } from './contract.ts'

test('a note is created by one API and read by the other, each with its own key header', async () => {
  await using app = await startTestApp(example)
  const key = await app.key('ada')
  const { body: note } = await app
    .client(notes, { headers: { 'x-api-key': key } })
    .createNote({ body: { title: 'News', text: 'None' } })
  const params = { edition: 'morning', noteId: note.id }
  const printer = app.client(press, { headers: { 'x-press-key': key } })
  expect(await printer.getProof({ params })).toMatchObject({ body: { edition: 'morning', text: 'NEWS\n\nNone' } })
  const astray = app.client(press, { headers: { 'x-api-key': key } })
  await expect(astray.getProof({ params })).rejects.toMatchObject({ status: 401 })
})
