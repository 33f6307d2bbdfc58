import { type Blobs, implement, ok, type Platform } from '@icosa/kernel'
import type { Ingest } from '../mailbox/ingestion.ts'
import { checkIds } from '../shapes/batch.ts'
import { messages } from './contract.ts'

/** The ingestion of every node that this process runs. A node is known by its blobs: one process may have several. */
export function ingestions(open: (platform: Platform) => Ingest) {
  const byNode = new WeakMap<Blobs, Ingest>()
  return {
    open: (platform: Platform) => void byNode.set(platform.blobs, open(platform)),
    of(blobs: Blobs): Ingest {
      const ingest = byNode.get(blobs)
      if (!ingest) throw new Error('This node was not opened for messages.')
      return ingest
    },
  }
}

export const messageOperations = (ingestionOf: (blobs: Blobs) => Ingest) =>
  implement(messages, {
    async BatchPutMessage({ body }, { blobs, caller }) {
      checkIds(
        body.messages.map(({ messageId }) => messageId),
        'body/messages',
      )
      return ok({ BatchPutMessageErrorEntries: [...(await ingestionOf(blobs)(caller.tenant, body.messages))] })
    },
  })
