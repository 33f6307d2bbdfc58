import 'oidc-provider'

declare module 'oidc-provider' {
  /** What the library has and its types leave out. */
  interface Client {
    backchannelLogout(accountId: string, sid: string): Promise<void>
  }
}
