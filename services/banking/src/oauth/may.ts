import type { Operation } from '@icosa/contract'
import { Failure } from '@icosa/kernel'

/** Writes that an application may do: none that moves money without the user. */
const writes = new RegExp(
  '^(POST /user/.*/(draft-payment|request-inquiry|customer-statement|attachment|note-text|note-attachment)' +
    '|POST /user/.*/notification-filter-url|POST /(attachment-public|avatar)|DELETE /session/\\{itemId\\})$',
)
/** Contains the secrets of the user's own applications. */
const secret = /\/oauth-client(\/|$)/

export function refuseForApplications({ method, path }: Operation): void {
  if (secret.test(path) || (method !== 'GET' && !writes.test(`${method} ${path}`)))
    throw new Failure(
      'forbidden',
      'An application may not do this for a user. It may read, ask for money, and prepare payments as drafts.',
    )
}
