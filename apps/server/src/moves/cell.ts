import type { Blobs, Database, Moves, Vault } from '@icosa/kernel'

/** A cell as a move uses it. */
export interface MoveCell {
  readonly name: string
  readonly number: number
  /** With the rights of a superuser; the other cell's PostgreSQL connects to it. */
  readonly databaseUrl: string
  readonly database: Database
  /** With the keys of the cell. */
  vault(tenant: string): Promise<Vault>
}

/** How a service moves tenants, as nodes of either cell are configured. */
export interface MovedService {
  readonly service: string
  readonly source: Moves
  readonly target: Moves
}

/** What routers know of a tenant. */
export interface Route {
  /** Requests wait until the next call. */
  hold(tenant: string): Promise<void>
  switch(tenant: string, cell: string): Promise<void>
  release(tenant: string): Promise<void>
}

export interface MoveCells {
  readonly source: MoveCell
  readonly target: MoveCell
  /** All of them; those that are not installed in the cells are left out. */
  readonly services: readonly MovedService[]
  /** Seals the tenant's keys for the other cell. Undefined if both cells have the same data keys. */
  readonly carryKeys?: ((from: MoveCell, to: MoveCell, tenant: string) => Promise<void>) | undefined
  /** By cell; undefined if both cells have the same store. */
  readonly blobs?: { readonly source: Blobs; readonly target: Blobs } | undefined
}
