import type { CellVault, Database, OpenFetch, ReadingDb, Service } from '@icosa/kernel'
import type { Group } from '@icosa/settings'
import type { Command } from './command.ts'
import type { Gaps } from './gaps.ts'
import type { Need } from './need.ts'
import type { Tenancy } from './tenancy.ts'

/** Properties of the platform for its services. */
export interface Facts {
  /** Public base URL, for addresses that are part of a resource. */
  readonly baseUrl: string
  /** Region of services with signed requests. */
  readonly region: string
  /** For caches and the state of sandboxes: it may be lost with its node at any time. */
  readonly scratchDirectory: string
  /** Durable storage of development mode. Operators name each such place by a required setting. */
  readonly developmentDirectory?: string | undefined
  /** The platform's database: a promise while it starts, undefined if unknown. */
  readonly databaseUrl?: string | Promise<string> | undefined
  /** Resource types of all services of the platform, on any node. */
  readonly resourceTypes?: readonly string[]
  /** Resource types with backups, for commands. */
  readonly backedUpTypes?: readonly string[]
  /** Whether the database is development mode's own, on which everything is allowed. */
  readonly hasDevelopmentDatabase: boolean
  /** Folder of that server's programs. */
  developmentServer?(): Promise<string>
}

/** A message or action of a service, in words. */
export interface JournalEntry {
  readonly at: Date
  readonly what: string
  /** May have several lines: a mail. */
  readonly text?: string
}

export interface Journal {
  /** "Calls" */
  readonly title: string
  /** Latest first. */
  read(db: ReadingDb, tenant: string, max: number): Promise<readonly JournalEntry[]>
}

/**
 * The server's interface to a service. It is read to list settings, commands and needs, so it loads next to nothing:
 * the manifest, the commands and their dependencies are imported on demand.
 */
export interface ServiceModule<S = unknown> {
  readonly settings?: Group<S>
  /** Creates the service as configured. */
  create(settings: S, facts: Facts): Promise<Service>
  /** Limitations: the table in its README, and every 501. */
  gaps(): Promise<{ readonly unsupported: Gaps }>
  /** Runs before a node starts: throws if it must not start, and returns warnings for the operator. */
  inspect?(settings: S, facts: Facts): Promise<readonly string[]>
  /** The tenant's belongings that neither a column nor a blob's key marks as such. */
  tenancy?(): Promise<{ readonly tenancy: Tenancy<S> }>
  /** By the word after `icosa`. */
  readonly commands?: Readonly<Record<string, () => Promise<ServiceCommand<S>>>>
  /** Recent messages and actions, shown in development mode. */
  journal?(): Promise<{ readonly journal: Journal }>
  /** Prerequisites on the machine and its surroundings. */
  readonly needs?: readonly Need<S>[]
}

/** Context of a service's command. */
export interface ServiceArguments<S = unknown> {
  readonly settings: S
  readonly facts: Facts
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>
  vaultOf(database: Database): Promise<CellVault>
  /** Parses patterns such as `backup:*,braille-translation:translateToDots`; one that permits nothing is an error. */
  readPermissions(words: string): Promise<readonly string[]>
  /** The guarded fetch, for commands that call other servers; close it after use. */
  openFetch(): Promise<ReturnType<OpenFetch>>
}

export type ServiceCommand<S = unknown> = Command<ServiceArguments<S>>
