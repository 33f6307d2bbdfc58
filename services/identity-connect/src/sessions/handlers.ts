import { implement, media, notFound, type Resource } from '@icosa/kernel'
import * as clients from '../clients/store.ts'
import { sourceOf } from '../web/headers.ts'
import { sessions as contract } from './contract.ts'

export const sessions: Resource = implement(contract, {
  async authorizeIframe({ params }, { db }) {
    if (params.client_id === 'session') return media('text/html; charset=utf-8', framePage(), frameHeaders(['*']))
    const client = (await clients.findById(db, params.client_id)) ?? notFound('client', params.client_id)
    const { redirect_uris = [], test_mode } = client.metadata
    const origins = test_mode ? ['*'] : redirect_uris.map(sourceOf)
    return media('text/html; charset=utf-8', framePage(), frameHeaders([...new Set(origins)]))
  },
})

function frameHeaders(ancestors: readonly string[]): Record<string, string> {
  return {
    'cache-control': 'public, max-age=7200',
    'content-security-policy': `default-src 'none'; script-src 'self'; frame-ancestors ${ancestors.join(' ') || "'none'"}`,
    'x-content-type-options': 'nosniff',
  }
}

/** A page without content: its script replies to the frames of clients. */
function framePage(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Session</title>
<script type="module" src="../assets/session.js"></script>
</html>
`
}
