/** A deployment with a PostgreSQL of its own. */
export interface Cell {
  readonly name: string
  /** Where its nodes, or their load balancer, are reached. */
  readonly url: string
  /** PostgreSQL itself, for moves. Secret. */
  readonly databaseUrl: string
  /** Such as region and tier. */
  readonly labels: Labels
  /** How many tenants are placed there. */
  readonly capacity: number
  /** No tenants are placed in a `draining` one. */
  readonly state: 'active' | 'draining'
  /** Whether it has the people who sign in, and gets requests that name no tenant. Exactly one has. */
  readonly isHome: boolean
  /** From 1 to 16,000, never given to another cell. */
  readonly number: number
}

export type Labels = Readonly<Record<string, string>>

export const cellName = /^[a-z][a-z0-9-]{0,30}$/

/** What routers know of one thing. `version` is a bigint as text, and grows with every change. */
export type RouteChange = CellChange | TenantChange | NameChange

interface Change {
  readonly version: string
  readonly isRemoved: boolean
}

export interface CellChange extends Change {
  readonly kind: 'cell'
  readonly name: string
  readonly url: string
  readonly isHome: boolean
}

export interface TenantChange extends Change {
  readonly kind: 'tenant'
  readonly tag: string
  readonly tenant: string
  readonly cell: string
  /** Whether requests wait, since the tenant is about to be in another cell. */
  readonly isHeld: boolean
}

export interface NameChange extends Change {
  readonly kind: 'name'
  readonly purpose: string
  readonly name: string
  readonly tenant: string
}
