import type { IncomingMessage, ServerResponse } from 'node:http'

/** What an instance needs to know of a revision, and nothing else. */
export interface Revision {
  readonly id: string // unique, e.g. hello-00003-abc
  readonly tenant: string
  readonly function: string // the full resource name
  readonly artifact: string // key of the built artifact (a gzipped tar of /workspace) in the tenant's blobs
  readonly runtime: string // nodejs24 ...
  readonly entryPoint: string
  readonly signature: 'http' | 'cloudevent'
  readonly environment: Readonly<Record<string, string>> // with secrets opened
  readonly memoryBytes: number
  readonly cpu: number
  readonly timeoutMs: number
  readonly concurrency: number
  readonly minInstances: number
  readonly maxInstances: number
}

export interface Instances {
  /** Answers one request by an instance of the revision, from zero if need be; streams both ways. */
  serve(
    revision: Revision,
    request: IncomingMessage,
    reply: ServerResponse,
    call: { readonly path: string; readonly id: string },
  ): Promise<void>
  /** For events: one POST with a body in memory; answers status and the head of the body. */
  call(
    revision: Revision,
    request: { path: string; headers: Record<string, string>; body: Uint8Array },
    id: string,
  ): Promise<{ status: number; body: string }>
  /**
   * Starts one and says whether it is healthy: for a new revision before it takes over. Rejects with a Failure whose message a
   * person can act on (crash at start, with the last lines of its log).
   */
  warm(revision: Revision): Promise<void>
  /** No new requests; the ones in flight finish. */
  retire(revisionId: string): Promise<void>
}
