import type { ReadingDb } from '@icosa/kernel'
import { groupType } from '../names.ts'
import type { Types } from './read.ts'
import * as registry from './registry-store.ts'

/** Types as services registered them, and those that nobody knows. */
export interface KnownTypes {
  readonly types: 'all' | readonly string[]
  readonly unknown: readonly string[]
}

/** A type is known if the tenant has something of it; that of groups always is. */
export async function knownTypes(db: ReadingDb, tenant: string, requested: Types): Promise<KnownTypes> {
  if (requested === 'all') return { types: 'all', unknown: [] }
  const existing = new Set([groupType, ...(await registry.typesOf(db, tenant))])
  const types = [...existing].filter((type) => requested.includes(type.toLowerCase()))
  const known = new Set(types.map((type) => type.toLowerCase()))
  return { types, unknown: requested.filter((type) => !known.has(type)) }
}
