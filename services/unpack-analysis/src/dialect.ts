import { statusOf } from '@icosa/dialects/status'
import { addressKey, type DialectServer } from '@icosa/kernel'
import { keyHeader } from './names.ts'
import type { UnpackSettings } from './settings.ts'
import { requestStatuses } from './shapes/contract.ts'

/**
 * No credential is required: an anonymous caller's network is a separate tenant, with its own uploads, budgets and share of
 * the node. With a key, the caller is its tenant; it is required if the operator has closed the service to anonymous callers.
 */
export const dialectFor = ({ anonymous }: Pick<UnpackSettings, 'anonymous'>): DialectServer => ({
  authentication: anonymous === 'open' ? { kind: 'none' } : { kind: 'key', header: keyHeader },
  authenticate({ ip, headers }, credentials) {
    const key = headers[keyHeader.toLowerCase()]
    if (typeof key === 'string') return credentials.byKey(key)
    if (anonymous === 'closed') return undefined
    return { id: ip, tenant: addressKey(ip), allows: () => true }
  },
  spellings: (path) => [`/v1${path}`],
  reply: ({ status, body, headers }) => ({ status, body, headers }),
  failure({ kind, message }) {
    const status = requestStatuses.has(statusOf[kind]) ? 400 : statusOf[kind]
    return { status, body: { status, message } }
  },
})
