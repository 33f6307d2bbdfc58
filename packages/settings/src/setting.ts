import type { Kind } from './kinds.ts'

interface Options {
  /** One plain sentence. */
  readonly meaning: string
  /** As an operator would write it. Without one, the setting is optional and may be undefined. */
  readonly default?: string
  /** Default in development mode, if different. */
  readonly development?: string
  /** What happens without it, in words, if there is no default; for a required one, in development mode. */
  readonly otherwise?: string
  /**
   * `serve` and `worker` do not start without it: a default suitable for a laptop would lose data in a cell, or expose
   * it. With a condition, only if another setting of the group has that value.
   */
  readonly required?: true | { readonly where: string; readonly is: string }
  /** Which processes must share the folder, if it is one: proven by a marker file before they start. */
  readonly shared?: 'nodes' | 'workers'
  /** Whether its value must not be shown: it is or may contain a password or a key. */
  readonly secret?: boolean
  /** A better example than that of its kind. */
  readonly example?: string
}

/** One decision of the operator. */
export interface Setting<T = unknown> extends Options {
  /** Environment variable. */
  readonly variable: string
  readonly kind: Kind<T>
  readonly secret: boolean
  readonly example: string
  /** Whether it always has a value. */
  readonly isGiven: boolean
}

/** Type of the value: with `undefined` if optional. */
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
