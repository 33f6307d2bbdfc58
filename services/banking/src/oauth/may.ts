import type { Operation } from '@icosa/contract'
import { Failure } from '@icosa/kernel'

/** What an application may do for a user beside reading: nothing by which money leaves an account without its user. */
const writes = new RegExp(
  '^(POST /user/.*/(draft-payment|request-inquiry|customer-statement|attachment|note-text|note-attachment)' +
    '|POST /user/.*/notification-filter-url|POST /(attachment-public|avatar)|DELETE /session/\\{itemId\\})$',
)
/** The secrets of a user's own applications are nobody else's. */
const own = /\/oauth-client(\/|$)/

export function refuseForApplications({ method, path }: Operation): void {
  if (own.test(path) || (method !== 'GET' && !writes.test(`${method} ${path}`)))
    throw new Failure(
      'forbidden',
      'An application may not do this for a user. It may read, ask for money, and prepare payments as drafts.',
    )
}
