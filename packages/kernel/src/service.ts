import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Views } from '@icosa/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { SealedColumn } from './auth/vault.ts'
import type { Sql } from './db/db.ts'
import type { DialectServer } from './dialect.ts'
import type { Admission } from './http/gates.ts'
import type { RequestObserver } from './http/observe.ts'
import type { TenantRule, TenantSource } from './http/route/tenant-source.ts'
import type { Resource } from './implement.ts'
import type { Job } from './jobs/jobs.ts'
import type { BlobUse } from './orphans.ts'
import type { Platform } from './platform.ts'
import type { AccessLog } from './ports/access-log.ts'
import type { Backup } from './ports/backups.ts'
import type { KeyHolder } from './ports/keys.ts'
import type { Moves } from './ports/moves.ts'
import type { Retention } from './retention.ts'

/** Operations in one dialect. Most services have one API. */
export interface Api<Runtime = unknown> {
  /** Distinguishes it from the first API of its service, which needs no name. */
  readonly name?: string
  /** OpenAPI title; defaults to the service's. */
  readonly title?: string
  readonly dialect: DialectServer<Runtime>
  /**
   * Mount below the service, possibly with parameters: `/stores/{name}`. All its paths begin with it, and not-found
   * errors below it use its dialect. Defaults to the service's root.
   */
  readonly at?: string
  readonly resources: Readonly<Record<string, Resource<Runtime>>>
}

/** A request for an engine, with its body already read. */
export interface Exchange<Runtime = unknown> {
  readonly platform: Platform
  /** The service's runtime on this node. */
  readonly runtime: Runtime
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Uint8Array | undefined
  /** URL as the caller sees it. */
  readonly url: URL
}

/** For routes outside the contract: pages, and protocol endpoints. */
export interface RouteHost<Runtime = unknown> {
  readonly platform: Platform
  /** The service's runtime on this node. */
  readonly runtime: Runtime
  exchangeOf(request: FastifyRequest, response: ServerResponse): Exchange<Runtime>
}

/**
 * Subdomains of a domain, each its own origin. A request to any path of `label.of` is routed to `at` + label; the
 * handler finds the path in `originalUrl`, and the label in `raw.subdomain`.
 */
export interface Subdomains {
  /** In lower case: `fn.example.com`. */
  readonly of: string
  /** Path prefix of the service's route: `/functions/run/`. */
  readonly at: string
  /** Where requests to a host name their tenant. */
  readonly tenantSources: readonly TenantSource[]
}

/** Registers a closing function, right after opening: the last opened is closed first. */
export type OnStop = (close: () => unknown) => void

export interface Service<Runtime = unknown> {
  /** The service's letter in the specification; none for our own services. */
  readonly letter?: string
  readonly name: string
  readonly title: string
  readonly apis: readonly [Api<Runtime>, ...Api<Runtime>[]]
  /** How what tenants have in it gets to another cell. Required, so that no service is forgotten. */
  readonly moves: Moves
  /** Its resources as the console shows them. */
  readonly views?: Views
  /**
   * Runs once on every node that serves or works for it, before the first request and job. Returns the service's
   * runtime there, which the rest of this manifest receives as `runtime`. Closed after the last request and job.
   */
  readonly start?: (platform: Platform, onStop: OnStop) => Runtime | Promise<Runtime>
  /** Observes all authenticated, answered requests, of any service. */
  readonly observe?: (platform: Platform, runtime: Runtime) => RequestObserver
  /** Keeps the log of accesses that other services record. */
  readonly accessLog?: (platform: Platform, runtime: Runtime) => AccessLog
  /** Admission control for authenticated requests to any service, before their bodies are read. */
  readonly admit?: (platform: Platform, runtime: Runtime) => Admission
  /** Hosts of this service alone, for user content. */
  readonly subdomains?: Subdomains | undefined
  /**
   * Where requests without authentication by the dialect name their tenant, by full path in the router's syntax, with all
   * paths below it: open operations and pages.
   */
  readonly tenantRules?: Readonly<Record<string, TenantRule>>
  /** Routes besides the operations, with full paths. */
  readonly routes?: (host: RouteHost<Runtime>) => FastifyPluginAsync
  readonly migrations?: URL
  /** Required for every table. */
  readonly retention?: Retention
  /** Required for every kind of blob. */
  readonly blobs?: BlobUse
  /** Columns of sealed values. */
  readonly sealed?: readonly SealedColumn[]
  /** Purposes for which it derives keys of a tenant, which the tenant takes along to another cell. */
  readonly derives?: readonly string[]
  readonly backups?: readonly Backup<Runtime>[]
  /** Keys that other services on the node may use for the same tenant. */
  readonly keys?: (platform: Platform, runtime: Runtime) => KeyHolder
  // `never` accepts jobs of every input: the queue keeps a job and its input together.
  readonly jobs?: readonly Job<never, Runtime>[]
  readonly schedules?: readonly ServiceSchedule<Runtime>[]
}

export interface ServiceSchedule<Runtime = unknown> {
  readonly job: Job<never, Runtime>
  readonly everyMs: number
  /**
   * Selects a row if the job has work, and only then it runs: an idle cell creates no jobs. Runs every time the
   * schedule is due, so it must use an index.
   */
  readonly hasWork?: ((now: Date) => Sql) | undefined
}

/**
 * A service with a runtime. Its handlers, jobs and routes are checked against the type that `start` returns, which is
 * erased here.
 */
export function serviceWithRuntime<Runtime>(
  service: Service<Runtime> & Required<Pick<Service<Runtime>, 'start'>>,
): Service {
  return service as unknown as Service
}

/** A service with its runtime on a node. */
export interface StartedService extends Service {
  readonly runtime: unknown
}

/** Returns the service refusing unknown versions of its APIs. */
export function strictService(service: Service): Service {
  const [first, ...others] = service.apis
  const strict = (api: Api): Api => ({ ...api, dialect: api.dialect.strict?.() ?? api.dialect })
  return { ...service, apis: [strict(first), ...others.map(strict)] }
}
