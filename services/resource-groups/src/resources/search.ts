import { type ReadingDb, readPage } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import * as members from '../members/store.ts'
import { stackNotExisting } from '../names.ts'
import { startOf } from '../page-start.ts'
import type { Query, Types } from '../queries/read.ts'
import * as registry from '../queries/registry-store.ts'
import type { FindTypes } from '../queries/types.ts'
import type { QueryError } from './contract.ts'

const at = 'body/NextToken'

export interface PageOf {
  readonly limit: number
  readonly token: string | undefined
  /** Binds a token to its list. */
  readonly list: string
}

export interface SearchResult {
  readonly items: readonly (registry.Registered & Partial<members.Member>)[]
  readonly next?: string | undefined
  readonly errors: readonly QueryError[]
}

/** One page of a query's matches of these types. */
export async function search(
  db: ReadingDb,
  tenant: string,
  query: Query,
  requested: Types,
  page: PageOf,
  findTypes: FindTypes,
): Promise<SearchResult> {
  const { limit, token, list } = page
  const { types, unknown } = await findTypes(db, tenant, requested)
  const matches = await readPage<registry.Registered>(
    { limit, token, query: ['resources', tenant, list, query, requested], at },
    ({ key }) => [key],
    (after, count) => registry.page(db, { tenant, types, query }, startOf(after, at), count),
  )
  const isEmpty = matches.items.length === 0 && token === undefined
  const noStack = isEmpty && query.kind === 'stack' && !(await registry.hasStack(db, tenant, query.stack))
  return { ...matches, errors: [...unknown.map(unsupported), ...(noStack ? [notExisting(query.stack)] : [])] }
}

/** One page of a group's explicit members. */
export async function listMembers(db: ReadingDb, group: GroupKey, types: Types, page: PageOf): Promise<SearchResult> {
  const { limit, token, list } = page
  const result = await readPage<members.Member>(
    { limit, token, query: ['members', group.tenant, list, types], at },
    ({ key }) => [key],
    (after, count) => members.page(db, group, types, startOf(after, at), count),
  )
  return { ...result, errors: [] }
}

const unsupported = (type: string): QueryError => ({
  ErrorCode: 'RESOURCE_TYPE_NOT_SUPPORTED',
  Message: `No service of the platform has resources of the type ${type}.`,
})

const notExisting = (stack: string): QueryError => ({
  ErrorCode: stackNotExisting,
  Message: `No resource belongs to the stack ${stack}: none has it as its scope or in its tags.`,
})
