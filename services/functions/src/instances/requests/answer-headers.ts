/** Fields by which a response changes more of its origin, or of its site, than the document that it carries. */
const siteWide = ['clear-site-data']
const originWide = new Set([
  ...siteWide,
  ...['set-cookie', 'set-login', 'service-worker-allowed', 'strict-transport-security', 'alt-svc', 'accept-ch'],
  ...['critical-ch', 'report-to', 'reporting-endpoints', 'nel', 'expect-ct', 'public-key-pins', 'origin-agent-cluster'],
  'www-authenticate', // browsers answer it with the password that they know for the origin
  ...['public-key-pins-report-only', 'use-as-dictionary', 'sec-session-registration', 'secure-session-registration'],
])

/** Gives a document an opaque origin. It adds to the function's own policy: browsers enforce all of them. */
const sandbox = ['content-security-policy', 'sandbox allow-scripts allow-forms']

/**
 * Names and values by turns, of which a response of a function may have all on its own host; on the platform's host none that
 * concerns the origin. Browsers clear the cookies of a whole site, so no function may ask for that.
 */
export function answerHeaders(raw: readonly string[], isSandboxed: boolean): string[] {
  const isRefused = (name: string) => (isSandboxed ? originWide.has(name) : siteWide.includes(name))
  const kept = raw.filter((_, at) => !isRefused((raw[at - (at % 2)] as string).toLowerCase()))
  return isSandboxed ? [...kept, ...sandbox] : kept
}
