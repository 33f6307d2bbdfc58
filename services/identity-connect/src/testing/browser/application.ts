import * as oidc from 'openid-client'
import type { Page } from 'playwright-core'
import type { Metadata } from '../../clients/metadata.ts'
import type { IdentityApp } from '../app.ts'
import type { RelyingParty } from './relying-party.ts'

export interface Application {
  readonly clientId: string
  readonly callback: string
  /** The sign-in URL. */
  address(params?: Readonly<Record<string, string>>): string
  /** Waits for the redirect to the application, and returns its URL. */
  waitForReturn(page: Page): Promise<URL>
  /** Exchanges the code for tokens, and reads userinfo. */
  fetchUserInfo(outcome: URL): Promise<{ readonly sub: string } & Readonly<Record<string, unknown>>>
}

export async function registerApplication(
  identity: IdentityApp,
  issuer: string,
  { callback, origin }: Pick<RelyingParty, 'callback' | 'origin'>,
  metadata: Metadata = {},
): Promise<Application> {
  const { client_id, client_secret } = await identity.client({
    redirect_uris: [callback],
    response_types: ['code'],
    ...metadata,
  })
  const state = 'where-they-were'
  return {
    clientId: client_id,
    callback,
    address: (params) =>
      `${issuer}/authorize?${new URLSearchParams({
        client_id,
        response_type: 'code',
        scope: 'openid email',
        redirect_uri: callback,
        state,
        ...params,
      })}`,
    async waitForReturn(page) {
      await page.waitForURL((url) => url.origin === origin)
      return new URL(page.url())
    },
    async fetchUserInfo(outcome) {
      const config = await oidc.discovery(new URL(issuer), client_id, client_secret, undefined, {
        execute: [oidc.allowInsecureRequests],
      })
      const tokens = await oidc.authorizationCodeGrant(config, outcome, { expectedState: state })
      const { sub = '' } = tokens.claims() ?? {}
      return oidc.fetchUserInfo(config, tokens.access_token, sub)
    },
  }
}
