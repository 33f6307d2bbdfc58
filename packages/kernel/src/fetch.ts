export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** PKCS#12, for this https origin only. Opening blocks for as long as the file demands: vet untrusted ones. */
  readonly clientCertificate?: { readonly pfx: Uint8Array; readonly passphrase: string }
  /** Aborts the exchange; its reason becomes the error. */
  readonly signal?: AbortSignal
  readonly maxBytes?: number
  readonly timeoutMs?: number
  /** `manual` returns the redirect itself. */
  readonly redirect?: 'follow' | 'manual'
}

export interface OutboundResponse {
  readonly status: number
  /** URL of the response, after redirects. */
  readonly url: string
  readonly headers: Headers
  /** Complete and decoded. */
  readonly body: Uint8Array
}

/** SSRF guard: all requests on behalf of users go through it and reach checked addresses only. */
export type GuardedFetch = (url: string | URL, request?: OutboundRequest) => Promise<OutboundResponse>

/** Opens the guarded fetch, an adapter outside the kernel. */
export type OpenFetch = () => GuardedFetch & { close(): Promise<void> }
