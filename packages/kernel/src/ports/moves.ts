import type { Vault } from '../auth/vault.ts'
import type { Database } from '../db/db.ts'

/** One of the two cells between which a tenant moves. */
export interface MoveEnd<Place = unknown> {
  /** Name of the cell. */
  readonly cell: string
  readonly database: Database
  /** The tenant's, as this cell has its keys. */
  readonly vault: () => Promise<Vault>
  /** Where nodes of this cell keep state outside of its database and blobs. */
  readonly place: Place
}

export interface MoveEnds<Place = unknown> {
  readonly from: MoveEnd<Place>
  readonly to: MoveEnd<Place>
}

/** What a tenant has outside of rows and blobs cannot always move. */
export interface MoveObstacles<Place = unknown> {
  readonly place?: Place
  /** What cannot move, each as a sentence with what to do about it. Changes nothing. */
  obstacles(ends: MoveEnds<Place>, tenant: string): Promise<readonly string[]>
}

/**
 * Carries what a tenant has outside of rows and blobs. Every step may be repeated, as its mover may be killed; the tenant is
 * written at one end only, which the steps do not change in another way than they say.
 */
export interface OutsideMove<Place = unknown> extends MoveObstacles<Place> {
  readonly place: Place
  /** Copies most of it, while the tenant goes on writing. */
  copy?(ends: MoveEnds<Place>, tenant: string): Promise<void>
  /**
   * Keeps clients out and copies the rest, while nothing is written. Returns a summary, if there was anything. Throws a
   * Failure if that is impossible or the copy differs: the tenant then stays where it is.
   */
  finish(ends: MoveEnds<Place>, tenant: string): Promise<string | undefined>
  /** Lets clients in again at the end where the tenant lives from now on. */
  open?(at: MoveEnd<Place>, tenant: string): Promise<void>
  /** Deletes it at an end that the tenant has left or never reached. */
  forget(ends: { readonly at: MoveEnd<Place>; readonly other: MoveEnd<Place> }, tenant: string): Promise<void>
}

/**
 * How a service's share of a tenant gets to another cell: with rows and blobs, which is all there is of it; not at all, as it
 * belongs to the home cell (ADR 92); not while there are obstacles; or by steps of its own.
 */
export type Moves = 'withRows' | 'staysHome' | MoveObstacles | OutsideMove

/** Checks the steps against the type of their place, which is erased here. */
export const movesBy = <Place>(moves: MoveObstacles<Place> | OutsideMove<Place>): Moves => moves as Moves
