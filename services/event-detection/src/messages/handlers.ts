import { implement, ok } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { checkIds } from '../shapes/batch.ts'
import { messages } from './contract.ts'

export const messageOperations = implement<typeof messages, Held>(messages, {
  async BatchPutMessage({ body }, { caller, held }) {
    checkIds(
      body.messages.map(({ messageId }) => messageId),
      'body/messages',
    )
    return ok({ BatchPutMessageErrorEntries: [...(await held.ingestion.ingest(caller.tenant, body.messages))] })
  },
})
