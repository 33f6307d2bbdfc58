import { job } from '@icosa/kernel'
import type { Held } from '../held.ts'
import * as store from './store.ts'

export interface PublishInput {
  readonly noteId: string
  /** How long the printing takes: tests that kill workers want to be in the middle of it. */
  readonly pressMs?: number
}

/** Stands for slow work outside the database, then one last write that must happen once. */
export const publishNote = job<PublishInput, Held>('publishNote', {
  async run({ noteId, pressMs = 0 }, { tenant, progress, signal, held }) {
    await progress(0.5)
    await held.press.print(pressMs, signal)
    return (db) => store.countPublication(db, tenant, noteId)
  },
})
