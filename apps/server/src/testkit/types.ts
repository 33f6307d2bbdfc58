// Published verbatim as the types of 'icosa/testing': it imports nothing, and repeats types where necessary.

/** The services, by name. */
export type ServiceName =
  | 'identity-connect'
  | 'contribution-collection'
  | 'unpack-analysis'
  | 'braille-translation'
  | 'podcast-directory'
  | 'robotics-statistics'
  | 'language-authoring'
  | 'face-recognition'
  | 'banking'
  | 'hardware-security-modules'
  | 'configuration-stores'
  | 'api-diagnostics'
  | 'sql-virtual-machines'
  | 'sql-databases'
  | 'job-scheduler'
  | 'functions'
  | SignedService

/** Services whose requests are signed. */
export type SignedService = 'voice-messaging' | 'resource-groups' | 'event-detection' | 'backup'

/** Letters of the services in the specification. */
export type ServiceLetter =
  | 'S1'
  | 'S2'
  | 'S3'
  | 'S4'
  | 'S5'
  | 'S6'
  | 'L'
  | 'F'
  | 'B'
  | 'H'
  | 'C'
  | 'D'
  | 'V'
  | 'Q'
  | 'J'
  | 'G'
  | 'M'
  | 'R'
  | 'T'
  | 'K'

/** A service, or the platform itself, which every instance has. */
export type Callable = ServiceName | 'platform'

/** Options of `start`, all of which have defaults. */
export interface StartOptions {
  /** Names or letters of services, such as `['backup', 'S4']`. Default: all. */
  readonly services?: readonly (ServiceName | ServiceLetter)[]
  /** Folder of seeds, which run in filename order; `reset` returns to the state right after them. */
  readonly seeds?: string
  /** Default: any free port. */
  readonly port?: number
  /** Settings, by their names in docs/operate/configuration.md. The environment of the process is ignored. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * A PostgreSQL whose role may create databases: the instance gets a database of its own there, which `close` drops.
   * Default: a PostgreSQL of its own, which snapshots require.
   */
  readonly databaseUrl?: string
  /** Receives the log, line by line. Default: the log is discarded. */
  readonly log?: (line: string) => void
}

/** An instance of Icosa, with a port, a database and a folder of its own. */
export interface Icosa extends Shared, AsyncDisposable {
  /** For `connect` in other processes of the test run. A secret, since it grants full access. */
  readonly address: string
  readonly clock: TestClock
  /** Waits until no job is due. */
  settle(): Promise<void>
  /** Returns to the state right after `start` and its seeds. */
  reset(): Promise<void>
  /** Saves the whole state under a name: rows, blobs, databases of tenants, tokens, queues, clock. */
  snapshot(name: string): Promise<Snapshot>
  /** Returns to a snapshot. Running requests are cut off. */
  restore(name: string): Promise<Snapshot>
  snapshots(): Promise<Snapshot[]>
  readonly faults: Faults
  /** Stops the instance. No process, port, database or file of it is left. */
  close(): Promise<void>
}

/** An instance as other processes share it: the tenant `dev`, and others. */
export interface Shared extends Tenant {
  readonly url: string
  /** Returns another tenant, isolated from the first; creates it if there is none of that name. */
  tenant(name: string, permissions?: readonly string[]): Promise<Tenant>
}

export interface Tenant {
  readonly name: string
  /** Every API, with the credentials of this tenant. */
  readonly services: readonly Endpoint[]
  /** One API: `service('backup')`, `service('configuration-stores', 'data')`. */
  service(name: SignedService): SignedEndpoint
  service(name: Callable, api?: string): Endpoint
  /** Sends a request to a service, with the credential or signature that its dialect requires. */
  fetch(service: Callable, path: string, init?: RequestInit): Promise<Response>
}

/** One API, with the credentials of a tenant. */
export interface Endpoint {
  readonly name: string
  /** Undefined for the first API of a service. */
  readonly api: string | undefined
  readonly url: string
  readonly authentication: 'key' | 'bearer' | 'basic' | 'signature' | 'none'
  /** The key or token itself; for `signature`, the secret. */
  readonly key: string
  /** Authentication headers; none where requests are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** For SDKs that sign; undefined for all other APIs. */
  readonly signing: Signing | undefined
  /** The same as `fetch` of the instance. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface SignedEndpoint extends Endpoint {
  readonly authentication: 'signature'
  readonly signing: Signing
}

/** Credentials of SDKs that sign, with the region and service to sign for. */
export interface Signing {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
}

export interface TestClock {
  now(): Promise<Date>
  /** By milliseconds, or `'90s'`, `'15m'`, `'1h'`, `'30d'`. Timers and schedules that come due fire. */
  advance(by: number | string): Promise<Date>
  set(to: Date | string): Promise<Date>
  freeze(): Promise<Date>
  run(): Promise<Date>
  /** Returns to real time. */
  reset(): Promise<Date>
}

export interface Snapshot {
  readonly name: string
  readonly savedAt: string
  readonly bytes: number
  readonly files: number
  readonly version: string
}

/** Fault injection. Affected responses have the header `icosa-fault`. */
export interface Faults {
  add(fault: FaultRequest): Fault
  list(): Fault[]
  clear(id?: string): number
}

export interface FaultRequest {
  /** `backup:StartBackupJob`, `backup:List*`, `*`. */
  readonly target: string
  readonly kind: 'latency' | 'error' | 'throttle' | 'drop' | 'dropReply' | 'stop'
  /** Share of calls that fail, from 0 to 1. Default: 1. */
  readonly share?: number | undefined
  /** Number of faults after which it ends. */
  readonly times?: number | undefined
  /** Delay of a `latency`. */
  readonly delayMs?: number | undefined
  /** Error code of the service, or HTTP status, of an `error`. Default: 503. */
  readonly code?: string | undefined
  /** `Retry-After` of a `throttle`. Default: 1. */
  readonly retryAfterSeconds?: number | undefined
  /** How long work runs before its `stop`. */
  readonly afterMs?: number | undefined
  /** The same seed chooses the same calls. Default: 1. */
  readonly seed?: number | undefined
}

export interface Fault extends FaultRequest {
  readonly id: string
  readonly on: 'requests' | 'jobs'
  readonly seen: number
  readonly hit: number
}

/** Default export of a seed module. */
export type Seed = (app: Icosa) => unknown

/** Element of a `.json` seed, which is an array. Each request must be answered with a status below 400. */
export interface SeedRequest {
  readonly service: Callable
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Default: `dev`. */
  readonly tenant?: string
}

export type Start = (options?: StartOptions) => Promise<Icosa>

/** Uses an instance that another process of the test run has started, by its `address`. */
export type Connect = (address: string) => Promise<Shared>
