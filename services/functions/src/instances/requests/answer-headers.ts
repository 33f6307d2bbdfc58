/** Headers that affect the whole origin, or site, and not only the document. */
const siteWide = ['clear-site-data']
const originWide = new Set([
  ...siteWide,
  ...['set-cookie', 'set-login', 'service-worker-allowed', 'strict-transport-security', 'alt-svc', 'accept-ch'],
  ...['critical-ch', 'report-to', 'reporting-endpoints', 'nel', 'expect-ct', 'public-key-pins', 'origin-agent-cluster'],
  'www-authenticate', // browsers answer it with the password stored for the origin
  ...['public-key-pins-report-only', 'use-as-dictionary', 'sec-session-registration', 'secure-session-registration'],
])

/** Gives the document an opaque origin, in addition to the function's own policy: browsers enforce both. */
const sandbox = ['content-security-policy', 'sandbox allow-scripts allow-forms']

/**
 * Filters alternating names and values of a function's response: on the platform's origin all origin-wide headers are removed,
 * on the function's own only Clear-Site-Data, which clears cookies of the whole site.
 */
export function answerHeaders(raw: readonly string[], isSandboxed: boolean): string[] {
  const isForbidden = (name: string) => (isSandboxed ? originWide.has(name) : siteWide.includes(name))
  const allowed = raw.filter((_, index) => !isForbidden((raw[index - (index % 2)] as string).toLowerCase()))
  return isSandboxed ? [...allowed, ...sandbox] : allowed
}
