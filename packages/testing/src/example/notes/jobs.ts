import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '@icosa/kernel'
import * as store from './store.ts'

export interface PublishInput {
  readonly noteId: string
  /** How long the printing takes: tests that kill workers want to be in the middle of it. */
  readonly pressMs?: number
}

/** Stands for slow work outside the database, then one last write that must happen once. */
export const publishNote = job<PublishInput>('publishNote', {
  async run({ noteId, pressMs = 0 }, { tenant, progress, signal }) {
    await progress(0.5)
    await sleep(pressMs, undefined, { signal })
    return (db) => store.countPublication(db, tenant, noteId)
  },
})
