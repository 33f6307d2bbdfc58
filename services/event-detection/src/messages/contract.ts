import { named, type Static, Type } from '@icosa/contract'
import { api, entryError, Id } from '../shapes/contract.ts'

export const Message = named('Message', {
  messageId: Id,
  inputName: Type.String({ minLength: 1, maxLength: 128, pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}$' }),
  payload: Type.String({ maxLength: 1_048_576, description: 'A JSON object, plain or base64-encoded.' }),
  timestamp: Type.Optional(
    named('TimestampValue', {
      timeInMillis: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    }),
  ),
})
export interface Message extends Static<typeof Message> {}

const ErrorEntry = named('BatchPutMessageErrorEntry', { messageId: Type.Optional(Type.String()), ...entryError })
export interface MessageError extends Static<typeof ErrorEntry> {}

export const messages = {
  BatchPutMessage: api.post('/inputs/messages', {
    summary: 'Send messages. Those without an error entry are stored and will be evaluated.',
    // The node writes them in batches with other requests, not in the transaction of the request.
    reads: true,
    body: named('BatchPutMessageRequest', { messages: Type.Array(Message, { minItems: 1, maxItems: 1_000 }) }),
    replies: {
      200: named('BatchPutMessageResponse', { BatchPutMessageErrorEntries: Type.Array(ErrorEntry) }),
    },
  }),
}
