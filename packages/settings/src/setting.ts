import type { Kind } from './kinds.ts'

interface Options {
  /** One plain sentence. */
  readonly meaning: string
  /** As an operator would write it. A setting without one may be left out, and is undefined then. */
  readonly default?: string
  /** The default of development mode, if it is another one. */
  readonly development?: string
  /** In words, what happens without it, where there is no default; of a required one, in development mode. */
  readonly otherwise?: string
  /**
   * `serve` and `worker` do not start without it: a default that suits a laptop would lose data in a cell, or expose it. With a
   * condition, only where another setting of the group has that value.
   */
  readonly required?: true | { readonly where: string; readonly is: string }
  /** Which processes must see the same folder, if it is a folder: proven by a marker file before they start. */
  readonly shared?: 'nodes' | 'workers'
  /** Whether its value must not be shown: it is, or may hold, a password or a key. */
  readonly secret?: boolean
  /** A better example than that of its kind. */
  readonly example?: string
}

/** One thing that an operator decides. */
export interface Setting<T = unknown> extends Options {
  /** Its name in the environment. */
  readonly variable: string
  readonly kind: Kind<T>
  readonly secret: boolean
  readonly example: string
  /** Whether it always has a value. */
  readonly isGiven: boolean
}

/** The type that is read: with `undefined` where nothing may be set. */
export type Read<S> = S extends Setting<infer T> & { readonly isGiven: infer G }
  ? G extends true
    ? T
    : T | undefined
  : never

export function setting<T, const O extends Options>(
  variable: string,
  kind: Kind<T>,
  options: O,
): Setting<T> & { readonly isGiven: O extends { readonly default: string } ? true : false } {
  const { secret = false, example = kind.example ?? options.default ?? '' } = options
  const isGiven = (options.default !== undefined) as O extends { readonly default: string } ? true : false
  return { ...options, variable, kind, secret, example, isGiven }
}
