export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** PKCS#12, for this https origin only. Opening one blocks as long as the file says: try unknown ones before. */
  readonly clientCertificate?: { readonly pfx: Uint8Array; readonly passphrase: string }
  /** Breaks the exchange off; its reason is what the fetch then throws. */
  readonly signal?: AbortSignal
  readonly maxBytes?: number
  readonly timeoutMs?: number
  /** `manual` hands a redirect back as the answer. */
  readonly redirect?: 'follow' | 'manual'
}

export interface OutboundResponse {
  readonly status: number
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly headers: Headers
  /** Complete and decoded. */
  readonly body: Uint8Array
}

/** The one way out: everything fetched for a user goes through here and reaches only addresses that were checked. */
export type GuardedFetch = (url: string | URL, request?: OutboundRequest) => Promise<OutboundResponse>

/** How a node gets it: the guard itself is an adapter outside the kernel. */
export type OpenFetch = () => GuardedFetch & { close(): Promise<void> }
