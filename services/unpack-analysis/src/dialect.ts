import { statusOf } from '@icosa/dialects/status'
import type { DialectServer } from '@icosa/kernel'

/** There are no credentials: every address is a tenant of its own, with its own uploads and its share of the node. */
export const openDialect: DialectServer = {
  authentication: { kind: 'none' },
  authenticate: ({ ip }) => ({ id: ip, tenant: `address ${ip}`, allows: () => true }),
  reply: ({ status, body, headers }) => ({ status, body, headers }),
  failure({ kind, message }) {
    const status = statusOf[kind]
    return { status, body: { status, message } }
  },
}
