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
  /** What a token belongs to, beside the query. */
  readonly list: string
}

export interface Found {
  readonly items: readonly (registry.Registered & Partial<members.Member>)[]
  readonly next?: string | undefined
  readonly errors: readonly QueryError[]
}

/** One page of what a query finds among a tenant's resources of these types. */
export async function search(
  db: ReadingDb,
  tenant: string,
  query: Query,
  requested: Types,
  page: PageOf,
  findTypes: FindTypes,
): Promise<Found> {
  const { limit, token, list } = page
  const { types, unknown } = await findTypes(db, tenant, requested)
  const found = await readPage<registry.Registered>(
    { limit, token, query: ['resources', tenant, list, query, requested], at },
    ({ key }) => [key],
    (after, count) => registry.page(db, { tenant, types, query }, startOf(after, at), count),
  )
  const isNothing = found.items.length === 0 && token === undefined
  const noStack = isNothing && query.kind === 'stack' && !(await registry.hasStack(db, tenant, query.stack))
  return { ...found, errors: [...unknown.map(unsupported), ...(noStack ? [notExisting(query.stack)] : [])] }
}

/** One page of what was put into a group by hand. */
export async function listMembers(db: ReadingDb, group: GroupKey, types: Types, page: PageOf): Promise<Found> {
  const { limit, token, list } = page
  const found = await readPage<members.Member>(
    { limit, token, query: ['members', group.tenant, list, types], at },
    ({ key }) => [key],
    (after, count) => members.page(db, group, types, startOf(after, at), count),
  )
  return { ...found, errors: [] }
}

const unsupported = (type: string): QueryError => ({
  ErrorCode: 'RESOURCE_TYPE_NOT_SUPPORTED',
  Message: `No service of the platform has resources of the type ${type}, in whatever case it is written.`,
})

const notExisting = (stack: string): QueryError => ({
  ErrorCode: stackNotExisting,
  Message: `Nothing is known of the stack ${stack}: no resource is in a scope of that name or has it in its tags.`,
})
