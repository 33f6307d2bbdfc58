import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { errorPage } from '../../pages/error.ts'
import { messagePage } from '../../pages/message.ts'
import { handoverPage } from '../../pages/sign-in/modal.ts'
import { signOutPage } from '../../pages/sign-in/sign-out.ts'
import type { ClientView, Frame } from '../../pages/views.ts'
import type { IdentitySettings } from '../../settings.ts'
import { toClientView } from '../../web/client-view.ts'
import { type PageRights, securityHeaders } from '../../web/headers.ts'

type Logout = NonNullable<NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>['logoutSource']>

/** Pages shown by the library. */
export function libraryPages(settings: IdentitySettings, base: string) {
  const frame: Frame = { base, brand: settings.brand, display: 'page', themed: settings.theme !== undefined }
  const show = (ctx: KoaContextWithOIDC, document: string, rights?: PageRights) => {
    ctx.set(securityHeaders(rights))
    ctx.type = 'html'
    ctx.body = document
  }
  const view = (ctx: KoaContextWithOIDC): ClientView | undefined => ctx.oidc.client && toClientView(ctx.oidc.client)

  const error: NonNullable<Configuration['renderError']> = (ctx, out) => {
    if (ctx.accepts('json', 'html') !== 'html') {
      ctx.body = out
      return
    }
    const { error: code, error_description: description } = out
    show(
      ctx,
      errorPage({
        ...frame,
        title: 'This did not work',
        text:
          code === 'server_error'
            ? 'Something went wrong on our side. Please try again in a moment.'
            : 'The application sent an invalid request. Please go back to it and try again.',
        error: code,
        description,
      }),
    )
  }

  /** `form` contains a CSRF secret. */
  const signOut: Logout = (ctx, form) => {
    const secret = /name="xsrf" value="([^"]*)"/.exec(form)?.[1] ?? ''
    const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
    show(ctx, signOutPage({ ...frame, client: view(ctx), action, secret }), { leadsAway: true })
  }

  /** The user may also have chosen to stay signed in. */
  const signedOut = async (ctx: KoaContextWithOIDC) => {
    const { accountId } = await ctx.oidc.provider.Session.get(ctx)
    const view = accountId
      ? { title: 'You are still signed in', text: 'Nothing has changed.', label: 'Go to your account' }
      : { title: 'You are signed out', text: 'You can close this window.', label: 'Sign in again' }
    const { title, text, label } = view
    show(ctx, messagePage({ ...frame, title, text, link: { href: `${base}/account`, label } }))
  }

  /** Shown in the window of a modal instead of the redirect, which its frame follows. */
  const handover = (ctx: KoaContextWithOIDC, outcome: string) => {
    ctx.status = 200
    ctx.remove('location')
    const client = view(ctx) ?? { name: new URL(outcome).host }
    show(ctx, handoverPage({ ...frame, display: 'popup', client, outcome }))
  }

  return { error, signOut, signedOut, handover }
}
