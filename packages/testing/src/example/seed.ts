import { client } from '@icosa/client'
import type { Seed } from '../requests.ts'
import { notes } from './notes/contract.ts'

/** Creates a note and an operation of one tenant; the edition is arbitrary. */
export const seedNotes: Seed = async (owner) => {
  const { createNote, publishNote } = client(notes, owner)
  const { body } = await createNote({ body: { title: 'A note', text: 'of mine' } })
  const { headers } = await publishNote({ params: { noteId: body.id } })
  const operationId = headers.get('operation-location')?.split('/').at(-1) ?? ''
  return { noteId: body.id, operationId, edition: 'morning' }
}
