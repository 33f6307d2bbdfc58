import type { ReadingDb } from '@icosa/kernel'
import { groupType } from '../names.ts'
import type { Types } from './read.ts'
import * as registry from './registry-store.ts'

/** Types as registered, and unknown ones. */
export interface KnownTypes {
  readonly types: 'all' | readonly string[]
  readonly unknown: readonly string[]
}

export type FindTypes = (db: ReadingDb, tenant: string, requested: Types) => Promise<KnownTypes>

/** Known types are those that a service lists, those of the tenant's resources, and that of groups. */
export function typesAmong(listed: readonly string[]): FindTypes {
  return async (db, tenant, requested) => {
    if (requested === 'all') return { types: 'all', unknown: [] }
    const existing = new Set([groupType, ...listed, ...(await registry.typesOf(db, tenant))])
    const types = [...existing].filter((type) => requested.includes(type.toLowerCase()))
    const lowerCased = new Set(types.map((type) => type.toLowerCase()))
    return { types, unknown: requested.filter((type) => !lowerCased.has(type)) }
  }
}
