export interface PageRights {
  /** A form that ends at a client. Browsers hold every redirection after it against the policy, and where a client
   * leads on to is its own affair, so such a page says nothing of forms. */
  readonly leadsAway?: boolean
  /** Origins whose pages may show this one in a frame: only a page that asks for nothing has any. */
  readonly frameAncestors?: readonly string[]
}

/** What a page may load, where its forms may lead, and who may frame it: nothing that it does not need. */
export function securityHeaders({ leadsAway = false, frameAncestors = [] }: PageRights = {}): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' https: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    ...(leadsAway ? [] : ["form-action 'self'"]),
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
  ]
  return {
    ...(frameAncestors.length === 0 && { 'x-frame-options': 'DENY' }),
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin' /* a form of ours must say where it comes from */,
    'x-content-type-options': 'nosniff',
  }
}

/** An address as a content security policy names it: its origin, or the scheme of an app's own. */
export function sourceOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return "'none'"
  return url.origin === 'null' ? url.protocol : url.origin
}
