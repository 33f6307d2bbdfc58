import 'oidc-provider'

declare module 'oidc-provider' {
  /** Missing from the library's types. */
  interface Client {
    backchannelLogout(accountId: string, sid: string): Promise<void>
  }
}
