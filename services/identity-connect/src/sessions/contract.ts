import { operationsOf, Type } from '@icosa/contract'
import { protocolDialect } from '../errors/contract.ts'

const { get } = operationsOf(protocolDialect)

export const sessions = {
  authorizeIframe: get('/{client_id}/iframe', {
    summary: "Page for a client's hidden frame that reports whether the user is still signed in.",
    replies: { 200: Type.String() },
    media: ['text/html'],
    open: true,
  }),
}
