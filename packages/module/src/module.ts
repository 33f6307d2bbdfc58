import type { Database, OpenFetch, ReadingDb, Service, Vault } from '@icosa/kernel'
import type { Group } from '@icosa/settings'
import type { Absences } from './absence.ts'
import type { Command } from './command.ts'
import type { Need } from './need.ts'
import type { Tenancy } from './tenancy.ts'

/** What a service may know of the platform that it is part of. */
export interface Facts {
  /** The address under which callers reach the platform, for addresses that are part of a resource. */
  readonly baseUrl: string
  /** The region of the services whose requests are signed. */
  readonly region: string
  /** For caches and the state of sandboxes: it is lost with its node, at any time. */
  readonly scratchDirectory: string
  /** Where development mode keeps what must last. Operators name each such place by a required setting. */
  readonly developmentDirectory?: string | undefined
  /** Where the platform keeps its rows: a promise while that is being started, undefined if it is not known. */
  readonly databaseUrl?: string | Promise<string> | undefined
  /** The types of resources that services of the platform have, whichever of them this node runs. */
  readonly resourceTypes?: readonly string[]
  /** Those of them that can be backed up, for commands. */
  readonly backedUpTypes?: readonly string[]
  /** Whether that is development mode's own, on which everything is allowed. */
  readonly hasDevelopmentDatabase: boolean
  /** Where the programs of that one are. */
  developmentServer?(): Promise<string>
}

/** Something that a service sent or did, in words. */
export interface JournalEntry {
  readonly at: Date
  readonly what: string
  /** Of several lines, if need be: a mail. */
  readonly text?: string
}

export interface Journal {
  /** "Calls" */
  readonly title: string
  /** The latest first, so many at most. */
  read(db: ReadingDb, tenant: string, most: number): Promise<readonly JournalEntry[]>
}

/**
 * All that the server needs of a service. It is read to list settings, commands and needs, so it loads next to nothing:
 * the manifest, the commands and whatever they need are imported when somebody asks for them.
 */
export interface ServiceModule<S = unknown> {
  readonly settings?: Group<S>
  /** The service, as the operator wants it. */
  create(settings: S, facts: Facts): Promise<Service>
  /** What of the original is not there: the table in its README, and every 501. */
  absent(): Promise<{ readonly absent: Absences }>
  /** Before a node starts: throws what keeps it from starting, and answers what the operator should know. */
  inspect?(settings: S, facts: Facts): Promise<readonly string[]>
  /** What is a tenant's here although neither a column nor a blob's key says so. */
  tenancy?(): Promise<{ readonly tenancy: Tenancy<S> }>
  /** By the word after `icosa`. */
  readonly commands?: Readonly<Record<string, () => Promise<ServiceCommand<S>>>>
  /** What it sent or did lately, to look at in development mode. */
  journal?(): Promise<{ readonly journal: Journal }>
  /** Parts of the machine and its surroundings that it works with. */
  readonly needs?: readonly Need<S>[]
}

/** What a service's command has at hand. */
export interface ServiceArguments<S = unknown> {
  readonly settings: S
  readonly facts: Facts
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>
  vaultOf(database: Database): Promise<Vault>
  /** `backup:*,braille-translation:translateToDots` as patterns; one that permits nothing is a mistake. */
  readPermissions(words: string): Promise<readonly string[]>
  /** The guarded fetch, for commands that ask other servers; to be closed. */
  openFetch(): Promise<ReturnType<OpenFetch>>
}

export type ServiceCommand<S = unknown> = Command<ServiceArguments<S>>
