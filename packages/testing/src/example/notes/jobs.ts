import { job, notFound } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import * as store from './store.ts'

export interface PublishInput {
  readonly noteId: string
  /** Duration of the printing, for tests that kill workers in the middle of it. */
  readonly pressMs?: number
}

/** Id of a published note in the registry. */
export const noteUri = (noteId: string) => `/notes/${noteId}`

/** Simulates slow work outside the database, followed by one write that must happen exactly once. */
export const publishNote = job<PublishInput, ServiceRuntime>('publishNote', {
  async run({ noteId, pressMs = 0 }, { tenant, progress, signal, runtime }) {
    await progress(0.5)
    await runtime.press.print(pressMs, signal)
    return async (db, _, resources) => {
      await resources.put({ id: noteUri(noteId), type: 'Example/notes', name: noteId })
      return store.countPublication(db, tenant, noteId)
    }
  },
})

/** Simulates CPU-bound work in a thread, which ends if the job is cancelled. */
export const countWords = job<{ readonly noteId: string }, ServiceRuntime>('countWords', {
  async run({ noteId }, { db, tenant, runtime, signal }) {
    const note = (await store.find(db, tenant, noteId)) ?? notFound('note', noteId)
    const words = await runtime.words.run(tenant, note.text, { signal })
    return async () => ({ words })
  },
})

export const removeAttachment = job<{ readonly noteId: string }>('removeAttachment', {
  async run({ noteId }, { blobs }) {
    await blobs.delete(store.attachmentKey(noteId))
  },
})
