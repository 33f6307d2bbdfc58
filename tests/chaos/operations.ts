import { type Database, jobsIn, openQueue, operationsIn, systemClock } from '@icosa/kernel'
import { publishNote } from '../../packages/testing/src/example/notes/jobs.ts'
import { insert } from '../../packages/testing/src/example/notes/store.ts'

/** Starts operations as a handler does: row, operation and job in one transaction. Each runs for `pressMs`. */
export async function startOperations(database: Database, count: number, pressMs: number): Promise<string[]> {
  const queue = openQueue({ database, onError: () => {} })
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    await database.transaction(async (db) => {
      const note = await insert(db, 'ada', { title: `Note ${number}`, text: '' }, systemClock.now())
      const jobs = jobsIn(queue, db, 'example', 'ada')
      await operationsIn(db, systemClock, () => jobs, 'example', 'ada').start(publishNote, { noteId: note.id, pressMs })
      ids.push(note.id)
    })
  }
  queue.wake(['example'])
  return ids
}
