// OpenID Connect Session Management 1.0: a client's frame sends "client_id session_state" and learns whether the session
// has changed. The reply is computed from a cookie, so polling costs no requests.
// The prefix, used with TLS, ensures that no other host of the site can set the cookie.
const cookie = () =>
  (/(?:^|; )__Host-icosa_browser_state=([^;]*)/.exec(document.cookie) ??
    /(?:^|; )icosa_browser_state=([^;]*)/.exec(document.cookie))?.[1] ?? ''

async function hash(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

addEventListener('message', async ({ data, origin, source }) => {
  const [clientId, state, ...rest] = typeof data === 'string' ? data.split(' ') : []
  const [expected, salt] = state?.split('.') ?? []
  // Without access to our cookies the state is unknown: 'changed' would sign the user out needlessly.
  const isBlind = cookie() === '' && (await document.hasStorageAccess?.()) === false
  if (!clientId || !salt || rest.length > 0 || isBlind) return source?.postMessage('error', origin)
  const now = await hash(`${clientId} ${origin} ${cookie()} ${salt}`)
  source?.postMessage(now === expected ? 'unchanged' : 'changed', origin)
})
