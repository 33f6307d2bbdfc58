import { systemClock } from '@icosa/kernel'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { responseTypes } from '../../protocol/contract.ts'
import { browserStateCookie, browserStateOf } from '../../sessions/browser-state.ts'
import { revokeGrant } from '../artifacts/adapter.ts'
import { takeDeferred } from '../artifacts/code-exchange.ts'
import { consume, labelSession } from '../artifacts/store.ts'
import type { ProviderParts } from '../configuration.ts'
import { outcomeForFrame } from './handover.ts'
import { hostCookies } from './host-cookies.ts'
import { libraryPages } from './pages.ts'
import type { ReplayedRequest } from './replayed-request.ts'

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

/** Adapts the library's responses to the specification: statuses, `expires_at`, the cookie of the session frame. */
export function outcome({ issuer, platform, settings }: ProviderParts): Middleware {
  const { database, clock } = platform
  const { protocol, pathname: base } = new URL(issuer)
  const isSecure = protocol === 'https:'
  const pages = libraryPages(settings, base)

  // Corrects the library's own list.
  const discovery = {
    response_types_supported: responseTypes,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'implicit', 'refresh_token'],
    display_values_supported: ['page', 'popup', 'modal'],
    prompt_values_supported: ['none', 'login', 'consent'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    registration_endpoint: `${issuer}/client`,
    check_session_iframe: `${issuer}/session/iframe`,
  }

  function redirect(ctx: KoaContextWithOIDC): void {
    const location = ctx.response.get('location')
    if (!location || !ctx.path.startsWith('/authorize')) return
    const isStep = location.startsWith(`${base}/interaction/`)
    ctx.status = isStep ? 303 : 302
    ctx.body = ''
    const frameOutcome = isStep ? undefined : outcomeForFrame(ctx)
    if (frameOutcome !== undefined) pages.handover(ctx, frameOutcome)
  }

  function setBrowserState(ctx: KoaContextWithOIDC): void {
    const { session } = ctx.oidc
    if (!session) return
    const isOver = (session as { destroyed?: boolean }).destroyed || !session.accountId
    const state = isOver ? null : browserStateOf(session.uid, session.accountId ?? '')
    if ((ctx.cookies.get(browserStateCookie, { signed: false }) ?? null) === state) return
    ctx.cookies.set(browserStateCookie, state, {
      path: base,
      signed: false,
      httpOnly: false, // the frame's script reads it
      overwrite: true,
      ...(isSecure ? { sameSite: 'none', secure: true } : { sameSite: 'lax' }),
    })
  }

  function renameCookies({ req, res }: KoaContextWithOIDC): void {
    const lines = res.getHeader('set-cookie')
    if (!isSecure || lines === undefined) return
    res.setHeader(
      'set-cookie',
      hostCookies([lines].flat().map(String), (req as unknown as ReplayedRequest).sentCookies),
    )
  }

  /** Consumes a code without a stored token (platform token or error) before the response is sent. */
  async function consumeCode(ctx: KoaContextWithOIDC): Promise<void> {
    const code = takeDeferred(ctx)
    if (!code || (await consume(database, 'AuthorizationCode', code.key, clock.now()))) return
    if (code.grantId) await revokeGrant(database, code.grantId)
    ctx.status = 400
    ctx.body = { error: 'invalid_grant', error_description: 'grant request is invalid' }
  }

  return async (ctx, next) => {
    // The public URL decides, not the protocol of the last hop.
    Object.defineProperty(ctx.request, 'protocol', { value: isSecure ? 'https' : 'http' })
    await next()
    if (ctx.oidc === undefined) return
    await consumeCode(ctx)
    redirect(ctx)
    setBrowserState(ctx)
    renameCookies(ctx)
    // The library inserts a new session row after each step of a sign-in.
    if (ctx.oidc.route === 'resume' && ctx.oidc.session?.accountId)
      await labelSession(database, ctx.oidc.session.uid, browserName(ctx.get('user-agent')))
    // Preflight requests (OPTIONS) have no body.
    if (ctx.path === '/.well-known/openid-configuration' && ctx.body) Object.assign(ctx.body as object, discovery)
    const token = ctx.body as { expires_in?: number; expires_at?: number }
    if (ctx.path === '/token' && ctx.status === 200 && token.expires_in !== undefined)
      token.expires_at = Math.floor(systemClock.now().getTime() / 1000) + token.expires_in
  }
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** A label by which users recognize a session, such as 'Firefox on Linux'. */
function browserName(userAgent: string): string {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = find(systems)
  return `${find(browsers) ?? 'A browser'}${system ? ` on ${system}` : ''}`
}
