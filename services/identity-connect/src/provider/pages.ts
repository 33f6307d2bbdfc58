import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { errorPage } from '../pages/error.ts'
import { messagePage } from '../pages/message.ts'
import { signOutPage } from '../pages/sign-out.ts'
import type { ClientView, Frame } from '../pages/views.ts'
import type { IdentitySettings } from '../settings.ts'
import { clientView } from '../web/client-view.ts'
import { securityHeaders } from '../web/headers.ts'

type Logout = NonNullable<NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>['logoutSource']>

/** The pages that the library shows by itself. */
export function libraryPages(settings: IdentitySettings, base: string) {
  const frame: Frame = { base, brand: settings.brand, display: 'page', themed: settings.theme !== undefined }
  const show = (ctx: KoaContextWithOIDC, document: string, formAction: string[] = []) => {
    ctx.set(securityHeaders({ formAction }))
    ctx.type = 'html'
    ctx.body = document
  }
  const view = (ctx: KoaContextWithOIDC): ClientView | undefined => ctx.oidc.client && clientView(ctx.oidc.client)

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
            : 'The application sent us a request that we cannot follow. Please go back to it and try again.',
        error: code,
        description,
      }),
    )
  }

  /** `form` holds one secret that only this page may know. */
  const signOut: Logout = (ctx, form) => {
    const secret = /name="xsrf" value="([^"]*)"/.exec(form)?.[1] ?? ''
    const action = /action="([^"]*)"/.exec(form)?.[1] ?? ''
    const back = ctx.oidc.params?.post_logout_redirect_uri
    const document = signOutPage({ ...frame, client: view(ctx), action, secret })
    show(ctx, document, typeof back === 'string' ? [back] : [])
  }

  const signedOut = (ctx: KoaContextWithOIDC) =>
    show(
      ctx,
      messagePage({
        ...frame,
        title: 'You are signed out',
        text: 'You can close this window.',
        link: { href: `${base}/account`, says: 'Sign in again' },
      }),
    )

  return { error, signOut, signedOut }
}
