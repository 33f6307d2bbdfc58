import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Where a revision may connect to. */
export interface RevisionEgress {
  /** Named policy of the operator. */
  readonly connector?: string | undefined
  /** Whether the policy replaces the default rules. */
  readonly allTraffic: boolean
}

/** What the key of a revision decrypts. */
export interface Unsealed {
  readonly environment: Readonly<Record<string, string>>
  artifact(sealed: Readable): Readable
}

/** A revision as instances need it. */
export interface Revision {
  readonly id: string // unique, e.g. hello-00003-abc
  readonly tenant: string
  readonly function: string // the full resource name
  readonly artifact: string // key of the built artifact (a gzipped tar of /workspace) in the tenant's blobs
  readonly runtime: string // nodejs24 ...
  readonly entryPoint: string
  readonly signature: 'http' | 'cloudevent'
  readonly environment: Readonly<Record<string, string>> // with decrypted secrets
  /** Set if a key of the tenant encrypts it. Evaluated at each start, which so requires the key. */
  readonly unseal?: (() => Promise<Unsealed>) | undefined
  readonly memoryBytes: number
  readonly cpu: number
  readonly timeoutMs: number
  readonly concurrency: number
  /** Decrypted secrets by file, by folder. */
  readonly volumes?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly egress: RevisionEgress
  /** Address of the service account whose tokens it gets. */
  readonly serviceAccount?: string | undefined
  readonly minInstances: number
  readonly maxInstances: number
}

export interface BufferedRequest {
  /** Defaults to POST. */
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface BufferedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The start of the body. */
  readonly content: Buffer
  readonly isTruncated: boolean
}

export interface Instances {
  /** Serves one request by an instance, with a cold start if necessary; streams both ways. */
  serve(
    revision: Revision,
    request: IncomingMessage,
    reply: ServerResponse,
    call: { readonly path: string; readonly id: string },
  ): Promise<void>
  /** For events: one POST with a buffered body. Returns status and the start of the body. */
  call(
    revision: Revision,
    request: { path: string; headers: Record<string, string>; body: Uint8Array },
    id: string,
  ): Promise<{ status: number; body: string }>
  /** One request with a body in memory. Returns the response with the start of its body. */
  callOnce(revision: Revision, request: BufferedRequest, id: string, maxBytes: number): Promise<BufferedResponse>
  /**
   * Starts an instance of a new revision before it takes over. Rejects with a Failure if it is not healthy, with the last lines
   * of its log.
   */
  warm(revision: Revision): Promise<void>
  /** Drains the instances of a revision that does not serve, on every node within seconds. */
  retire(revision: Pick<Revision, 'tenant' | 'id'>): Promise<void>
}
