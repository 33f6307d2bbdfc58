import {
  download,
  identifier,
  named,
  readOnly,
  type Static,
  stream,
  Type,
  withDefault,
  writable,
} from '@icosa/contract'
import { keyed, keyedDialect } from '@icosa/dialects/keyed'

export const dialect = keyedDialect('X-Api-Key')
const {
  get,
  post,
  put,
  delete: remove,
} = keyed('X-Api-Key', { noteId: identifier('note', { pattern: '^[0-9a-f-]{36}$' }) })
const attachmentTypes = ['*/*']

const Note = named('Note', {
  id: readOnly(Type.String()),
  title: Type.String({ minLength: 1, maxLength: 200 }),
  text: Type.String({ maxLength: 10_000 }),
  publishedTimes: readOnly(Type.Integer({ minimum: 0 })),
  createdAt: readOnly(Type.String({ format: 'date-time' })),
})
export interface Note extends Static<typeof Note> {}

const NoteInput = writable(Note)
export interface NoteInput extends Static<typeof NoteInput> {}

export const notes = {
  createNote: post('/notes', { summary: 'Write a note.', body: NoteInput, replies: { 201: Note } }),
  importNote: post('/notes/import', {
    summary: 'Write a note whose text was uploaded.',
    body: named('NoteImport', {
      title: Type.String({ minLength: 1, maxLength: 200 }),
      upload: Type.String({ pattern: '^[\\w-]{1,100}$' }),
    }),
    replies: { 201: Note },
  }),
  getNote: get('/notes/{noteId}', { summary: 'Read a note.', replies: { 200: Note } }),
  listNotes: get('/notes', {
    summary: 'List notes by title.',
    query: Type.Object({
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 100),
      token: Type.Optional(Type.String({ maxLength: 2000 })),
    }),
    replies: { 200: named('NoteList', { notes: Type.Array(Note), nextToken: Type.Optional(Type.String()) }) },
  }),
  publishNote: post('/notes/{noteId}/publish', {
    summary: 'Publish a note. Goes on in the background.',
    replies: { 202: Note },
  }),
  putAttachment: put('/notes/{noteId}/attachment', {
    summary: 'Attach a file of up to 5 GiB to a note, or replace it.',
    body: stream({ types: attachmentTypes, maxBytes: 5 * 1024 ** 3 }),
    replies: { 204: null },
  }),
  getAttachment: get('/notes/{noteId}/attachment', {
    summary: 'Read the file that is attached to a note, or a part of it.',
    replies: { 200: download({ types: attachmentTypes }) },
  }),
  deleteNote: remove('/notes/{noteId}', { summary: 'Delete a note.', replies: { 204: null } }),
}
