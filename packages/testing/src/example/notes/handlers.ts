import { text } from 'node:stream/consumers'
import { accepted, before, created, implement, noContent, notFound, ok } from '@icosa/kernel'
import { notes as contract } from './contract.ts'
import { publishNote } from './jobs.ts'
import * as store from './store.ts'

export const notes = implement(contract, {
  async createNote({ body }, { db, caller, clock }) {
    return created(await store.insert(db, caller.tenant, body, clock.now()))
  },

  // The text is fetched before the transaction, which would otherwise hold a connection for as long as that takes.
  importNote: before(
    async ({ body }, { blobs, caller }) => text((await blobs.get(`example/${caller.tenant}/${body.upload}`)).body),
    async ({ body }, { db, caller, clock }, found) =>
      created(await store.insert(db, caller.tenant, { title: body.title, text: found }, clock.now())),
  ),

  async getNote({ params }, { db, caller }) {
    return ok((await store.find(db, caller.tenant, params.noteId)) ?? notFound('note', params.noteId))
  },

  async listNotes({ query }, { db, caller }) {
    const { items, next } = await store.list(db, caller.tenant, query)
    return ok({ notes: items, ...(next && { nextToken: next }) })
  },

  async publishNote({ params }, { db, caller, operations }) {
    const note = (await store.find(db, caller.tenant, params.noteId)) ?? notFound('note', params.noteId)
    return accepted(note, await operations.start(publishNote, { noteId: note.id }, { resource: `/notes/${note.id}` }))
  },

  async deleteNote({ params }, { db, caller }) {
    const deleted = await store.remove(db, caller.tenant, params.noteId)
    return deleted ? noContent() : notFound('note', params.noteId)
  },
})
