import { tagPattern } from '../../auth/tags.ts'

/** Purposes for which icosa.names has names, each of one tenant. */
export type NamePurpose = 'function' | 'login' | 'module' | 'store' | 'subscription'

/**
 * A part of a request's head that names its tenant, as data for routers, which know neither credentials nor bodies.
 * `credential` is a key or an access key ID with the tenant's tag, or a token with its name as the claim `tenant`, in any
 * scheme of authorization.
 */
export interface TenantSource {
  readonly in: 'header' | 'query' | 'cookie' | 'path' | 'host'
  /** Of the header, parameter or cookie. */
  readonly name?: string
  /** Regular expression whose first group is the part; defaults to all. */
  readonly pattern?: string
  readonly gives: 'credential' | 'tag' | 'tenant' | 'tenant in base64url' | NamePurpose
}

/**
 * Sources of a path's requests, in order; or why they have no tenant: they are for the `home` cell, which has the people
 * who sign in and answers where nothing names a tenant; `any` cell answers them equally; or they belong to the caller's
 * `network`.
 */
export interface TenantRule {
  readonly sources?: readonly TenantSource[]
  readonly otherwise?: 'home' | 'any' | 'network'
}

/** Prefix of a path with a tag, or nothing. */
export const tagPrefixOf = (target: string): string => tagPrefix.exec(target)?.[0] ?? ''

/** Any path may be prefixed with a tag, so that requests without a credential name their tenant, too. */
const tagPrefix = new RegExp(`^/~(${tagPattern})(?=[/?]|$)`)

/** Source of the prefix. */
export const tagPrefixSource: TenantSource = { in: 'path', pattern: `^/~(${tagPattern})(?:/|$)`, gives: 'tag' }

/** Removes the prefix. */
export const withoutTag = (target: string): string =>
  target.startsWith('/~') ? target.replace(tagPrefix, '').replace(/^(?!\/)/, '/') : target
