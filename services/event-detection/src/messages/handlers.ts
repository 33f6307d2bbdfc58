import { type Db, implement, ok, type Platform } from '@icosa/kernel'
import type { Ingest } from '../mailbox/ingestion.ts'
import { checkIds } from '../shapes/batch.ts'
import { messages } from './contract.ts'

/** The ingestion of every node that this process runs, by its database: requests find theirs by it. */
export function ingestions(open: (platform: Platform) => Ingest) {
  const byDatabase = new WeakMap<Db, Ingest>()
  return {
    open: (platform: Platform) => void byDatabase.set(platform.database, open(platform)),
    of(db: Db): Ingest {
      const ingest = byDatabase.get(db)
      if (!ingest) throw new Error('This node was not opened for messages.')
      return ingest
    },
  }
}

export const messageOperations = (ingestionOf: (db: Db) => Ingest) =>
  implement(messages, {
    async BatchPutMessage({ body }, { db, caller }) {
      checkIds(
        body.messages.map(({ messageId }) => messageId),
        'body/messages',
      )
      return ok({ BatchPutMessageErrorEntries: [...(await ingestionOf(db)(caller.tenant, body.messages))] })
    },
  })
