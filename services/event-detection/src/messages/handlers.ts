import { implement, ok } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { checkIds } from '../shapes/batch.ts'
import { messages } from './contract.ts'

export const messageOperations = implement<typeof messages, ServiceRuntime>(messages, {
  async BatchPutMessage({ body }, { caller, runtime }) {
    checkIds(
      body.messages.map(({ messageId }) => messageId),
      'body/messages',
    )
    return ok({ BatchPutMessageErrorEntries: [...(await runtime.ingestion.ingest(caller.tenant, body.messages))] })
  },
})
