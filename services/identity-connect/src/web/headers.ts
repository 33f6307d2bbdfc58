export interface PageRights {
  /**
   * Has a form that ends at a client. Browsers check all following redirects against form-action, and clients may redirect
   * anywhere, so the page has no form-action.
   */
  readonly leadsAway?: boolean
  /** Origins that may frame the page: only for pages without prompts. */
  readonly frameAncestors?: readonly string[]
}

/** Restricts what a page may load, where its forms may lead, and who may frame it. */
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
    'referrer-policy': 'same-origin' /* forms must have an origin */,
    'x-content-type-options': 'nosniff',
  }
}

/** The CSP source of a URL: its origin, or a native app's scheme. */
export function sourceOf(address: string): string {
  const url = URL.parse(address)
  if (!url) return "'none'"
  return url.origin === 'null' ? url.protocol : url.origin
}
