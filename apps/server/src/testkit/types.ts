// Published as it stands, as the types of 'icosa/testing': it imports nothing, and says again what it must.

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

/** Those whose requests are signed. */
export type SignedService = 'voice-messaging' | 'resource-groups' | 'event-detection' | 'backup'

/** The letters by which the services are known, too. */
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

/** What can be called: a service, or the platform itself, which every instance has. */
export type Callable = ServiceName | 'platform'

/** What `start` can be told. All of it has a default. */
export interface StartOptions {
  /** Names or letters of services, such as `['backup', 'S4']`; all that are built if nothing is said. */
  readonly services?: readonly (ServiceName | ServiceLetter)[]
  /** A folder of seeds: they are sown in the order of their names, and `reset` goes back to right after them. */
  readonly seeds?: string
  /** Any free one if nothing is said. */
  readonly port?: number
  /** Settings, under the names of docs/operate/configuration.md. The environment of the process is not looked at. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * A PostgreSQL whose role may create databases: the instance gets a database of its own there, which `close` drops.
   * If nothing is said, it has a PostgreSQL of its own. Snapshots need the latter.
   */
  readonly databaseUrl?: string
  /** Where its log goes, line by line; nowhere if nothing is said. */
  readonly log?: (line: string) => void
}

/** An instance of Icosa: every service on a port, a database and a folder of its own. */
export interface Icosa extends Shared, AsyncDisposable {
  /** By which other processes of the test run use this instance, too: `connect(address)`. Who has it can do everything here. */
  readonly address: string
  readonly clock: TestClock
  /** Waits until no job is due any more. */
  settle(): Promise<void>
  /** Back to how it was right after `start` and its seeds. */
  reset(): Promise<void>
  /** Saves the whole state under a name: rows, blobs, databases of tenants, tokens, queues, clock. */
  snapshot(name: string): Promise<Snapshot>
  /** Goes back to it. Requests that are under way are cut off. */
  restore(name: string): Promise<Snapshot>
  snapshots(): Promise<Snapshot[]>
  readonly faults: Faults
  /** Ends it. No process, port, database or file of it is left. */
  close(): Promise<void>
}

/** What an instance is to those who share it: the tenant `dev`, and others. */
export interface Shared extends Tenant {
  readonly url: string
  /** The same for another tenant, who sees nothing of the first. Made if there is none of that name. */
  tenant(name: string, permissions?: readonly string[]): Promise<Tenant>
}

export interface Tenant {
  readonly name: string
  /** Every API, with the credentials of this tenant. */
  readonly services: readonly Endpoint[]
  /** One of them: `service('backup')`, `service('configuration-stores', 'data')`. */
  service(name: SignedService): SignedEndpoint
  service(name: Callable, api?: string): Endpoint
  /** A request to a service, with the credential that its dialect wants: signed, if it signs. */
  fetch(service: Callable, path: string, init?: RequestInit): Promise<Response>
}

/** One API, and how a tenant calls it. */
export interface Endpoint {
  readonly name: string
  /** Of several APIs of a service, all but the first have a name. */
  readonly api: string | undefined
  readonly url: string
  readonly authentication: 'key' | 'bearer' | 'basic' | 'signature' | 'none'
  /** The key or token itself; for `signature`, the secret. */
  readonly key: string
  /** Headers that prove who calls; none where requests are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** For an SDK that signs; undefined for all others. */
  readonly signing: Signing | undefined
  /** The same as `fetch` of the instance. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface SignedEndpoint extends Endpoint {
  readonly authentication: 'signature'
  readonly signing: Signing
}

/** What SDKs that sign call credentials, and for which region and service they sign. */
export interface Signing {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  readonly service: string
}

export interface TestClock {
  now(): Promise<Date>
  /** By so many milliseconds, or `'90s'`, `'15m'`, `'1h'`, `'30d'`. Timers and schedules that come due go off. */
  advance(by: number | string): Promise<Date>
  set(to: Date | string): Promise<Date>
  freeze(): Promise<Date>
  run(): Promise<Date>
  /** Back to the real time. */
  reset(): Promise<Date>
}

export interface Snapshot {
  readonly name: string
  readonly savedAt: string
  readonly bytes: number
  readonly files: number
  readonly version: string
}

/** Faults on purpose; answers that one befell have the header `icosa-fault`. */
export interface Faults {
  add(fault: FaultRequest): Fault
  list(): Fault[]
  clear(id?: string): number
}

export interface FaultRequest {
  /** `backup:StartBackupJob`, `backup:List*`, `*`. */
  readonly target: string
  readonly kind: 'latency' | 'error' | 'throttle' | 'drop' | 'dropReply' | 'stop'
  /** Of how many calls, from 0 to 1; all of them if nothing is said. */
  readonly share?: number | undefined
  /** After how many of them it ends. */
  readonly times?: number | undefined
  /** How long a `latency` is. */
  readonly delayMs?: number | undefined
  /** The `error`, as the service names it, or its HTTP status; 503 if nothing is said. */
  readonly code?: string | undefined
  /** What a `throttle` says; 1 if nothing is said. */
  readonly retryAfterSeconds?: number | undefined
  /** How long work goes on before its `stop`. */
  readonly afterMs?: number | undefined
  /** The same seed chooses the same calls; 1 if nothing is said. */
  readonly seed?: number | undefined
}

export interface Fault extends FaultRequest {
  readonly id: string
  readonly on: 'requests' | 'jobs'
  readonly seen: number
  readonly hit: number
}

/** What a seed that is a module exports by default. */
export type Seed = (app: Icosa) => unknown

/** What a seed that is a `.json` file holds: an array of these. Each must be answered with a status below 400. */
export interface SeedRequest {
  readonly service: Callable
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Of which tenant; `dev` if nothing is said. */
  readonly tenant?: string
}

export type Start = (options?: StartOptions) => Promise<Icosa>

/** Uses an instance that another process of the test run has started, by its `address`. */
export type Connect = (address: string) => Promise<Shared>
