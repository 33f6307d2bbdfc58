import { accepted, created, implement, noContent, notFound, ok } from '@icosa/kernel'
import { notes as contract } from './contract.ts'
import { publishNote } from './jobs.ts'
import * as store from './store.ts'

export const notes = implement(contract, {
  async createNote({ body }, { db, caller, clock }) {
    return created(await store.insert(db, caller.tenant, body, clock.now()))
  },

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
