import { access } from './access.ts'

/** How people sign in, from the node's page. */
export interface SignInSettings {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
}

function settingsInPage(): SignInSettings | undefined {
  const content = document.querySelector('meta[name="icosa-sign-in"]')?.getAttribute('content')
  return content ? JSON.parse(content) : undefined
}

export const signInSettings = settingsInPage()

/** Members of the discovery document that are used here. */
interface Issuer {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly revocation_endpoint?: string
  readonly end_session_endpoint?: string
}

async function discover({ issuer }: SignInSettings): Promise<Issuer> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`)
  const found = (await response.json()) as Issuer
  if (!response.ok || found.issuer !== issuer) throw new Error(`${issuer} does not describe itself as this issuer.`)
  return found
}

/** Verifier and state of a sign-in, while the browser is at the issuer. They are of no use without its code. */
interface Pending {
  readonly verifier: string
  readonly state: string
  /** The page to return to. */
  readonly path: string
}

const pendingName = 'icosa-sign-in'
const root = '/console/'
const returnPath = `${root}-/signed-in`
const redirectUri = () => location.origin + returnPath

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** Leads the browser to the issuer: authorization code with PKCE, as a public client. */
export async function beginSignIn(settings: SignInSettings): Promise<void> {
  const issuer = await discover(settings)
  const pending: Pending = { verifier: random(), state: random(), path: location.pathname + location.search }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier))
  sessionStorage.setItem(pendingName, JSON.stringify(pending))
  const address = new URL(issuer.authorization_endpoint)
  const parameters = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri(),
    scope: settings.scope,
    state: pending.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  location.assign(address)
}

export const isReturning = () => signInSettings !== undefined && location.pathname === returnPath

/** The return from the issuer. Its code leaves the address bar and the history before anything else happens. */
const returned = isReturning() ? takeReturn() : undefined

function takeReturn() {
  const parameters = new URLSearchParams(location.search)
  const stored = sessionStorage.getItem(pendingName)
  sessionStorage.removeItem(pendingName)
  history.replaceState(null, '', returnPath)
  return { parameters, pending: stored === null ? undefined : (JSON.parse(stored) as Pending) }
}

let finishing: Promise<void> | undefined

/** Exchanges the code for an access token, once. */
export function finishSignIn(settings: SignInSettings): Promise<void> {
  finishing ??= exchange(settings)
  return finishing
}

async function exchange(settings: SignInSettings): Promise<void> {
  const { parameters, pending } = returned ?? {}
  const code = parameters?.get('code')
  // A return that this page did not ask for may carry the code of another person.
  if (!pending || parameters?.get('state') !== pending.state)
    throw new Error('This sign-in was not begun here: try again.')
  if ((parameters.get('iss') ?? settings.issuer) !== settings.issuer) throw new Error('Another issuer has answered.')
  if (!code) throw new Error(parameters.get('error_description') ?? parameters.get('error') ?? 'There is no code.')
  const issuer = await discover(settings)
  const response = await post(issuer.token_endpoint, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(),
    client_id: settings.clientId,
    code_verifier: pending.verifier,
  })
  const reply = (await response.json()) as Readonly<Record<string, unknown>>
  const { access_token: token, expires_in: seconds } = reply
  if (!response.ok || typeof token !== 'string')
    throw new Error(`${reply.error_description ?? 'The code was refused.'}`)
  history.replaceState(null, '', pending.path.startsWith(root) && pending.path !== returnPath ? pending.path : root)
  const own = { key: token, isToken: true }
  access.set(own)
  if (typeof seconds === 'number')
    setTimeout(() => access.get() === own && access.set(undefined), Math.min(seconds * 1_000, 2 ** 31 - 1))
}

const post = (url: string, form: Readonly<Record<string, string>>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), credentials: 'omit', redirect: 'error' })

/** Forgets the token, revokes it where the issuer can, and leads to the issuer's sign-out if it has one. A key is only forgotten. */
export async function signOut(): Promise<void> {
  const current = access.get()
  access.set(undefined)
  if (!current?.isToken || !signInSettings) return
  const { clientId } = signInSettings
  const issuer = await discover(signInSettings)
  if (issuer.revocation_endpoint)
    await post(issuer.revocation_endpoint, { token: current.key, token_type_hint: 'access_token', client_id: clientId })
  if (!issuer.end_session_endpoint) return
  const address = new URL(issuer.end_session_endpoint)
  address.searchParams.set('client_id', clientId) // instead of an ID token, which must not be in an address
  location.assign(address)
}
