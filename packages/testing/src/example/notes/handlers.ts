import { text } from 'node:stream/consumers'
import { accepted, blobFile, created, file, implement, noContent, notFound, ok, withPreparation } from '@icosa/kernel'
import { notes as contract } from './contract.ts'
import { noteUri, publishNote, removeAttachment } from './jobs.ts'
import * as store from './store.ts'

export const notes = implement(contract, {
  async createNote({ body }, { db, caller, clock }) {
    return created(await store.insert(db, caller.tenant, body, clock.now()))
  },

  // The text is fetched before the transaction, which would otherwise occupy a connection meanwhile.
  importNote: withPreparation(
    async ({ body }, { blobs }) => text((await blobs.get(body.upload)).body),
    async ({ body }, { db, caller, clock }, imported) =>
      created(await store.insert(db, caller.tenant, { title: body.title, text: imported }, clock.now())),
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
    return accepted(note, await operations.start(publishNote, { noteId: note.id }, { resource: noteUri(note.id) }))
  },

  // The stream is read before the transaction, since it may be slow. If the note is deleted meanwhile, so is the file.
  putAttachment: withPreparation(
    async ({ params: { noteId }, body }, { db, blobs, caller }) => {
      if (!(await store.find(db, caller.tenant, noteId))) notFound('note', noteId)
      await blobs.put(store.attachmentKey(noteId), body, { contentType: body.mediaType })
    },
    async ({ params: { noteId } }, { db, jobs, caller }) => {
      if (!(await store.lock(db, caller.tenant, noteId))) await jobs.enqueue(removeAttachment, { noteId })
      return noContent()
    },
  ),

  async getAttachment({ params: { noteId } }, { db, blobs, caller }) {
    if (!(await store.find(db, caller.tenant, noteId))) notFound('note', noteId)
    return file(await blobFile(blobs, store.attachmentKey(noteId)))
  },

  async deleteNote({ params }, { db, jobs, resources, caller }) {
    if (!(await store.remove(db, caller.tenant, params.noteId))) notFound('note', params.noteId)
    await resources.remove(noteUri(params.noteId))
    await jobs.enqueue(removeAttachment, { noteId: params.noteId })
    return noContent()
  },
})
