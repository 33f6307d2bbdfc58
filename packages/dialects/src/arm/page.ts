import { empty, invalid, type Page, readPage, type Sql, sql } from '@icosa/kernel'
import { keyOf } from './names.ts'

export interface ListScope {
  readonly subscriptionId: string
  /** Restricts the list to one group. */
  readonly resourceGroupName?: string
}

export interface ListRequest {
  /** Name of the list, to which tokens are bound. */
  readonly kind: string
  readonly tenant: string
  readonly scope: ListScope
  readonly token: string | undefined
}

const pageSize = 100

/**
 * Keyset pagination over the resources of a subscription or resource group, by group and name. The table has the
 * columns `tenant`, `subscription_key`, `group_key` and `name_key`; `read` selects by the condition, in their order.
 */
export function pageInScope<Row extends { readonly resourceGroupName: string }>(
  { kind, tenant, scope, token }: ListRequest,
  nameOf: (row: Row) => string,
  read: (condition: Sql, limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const subscription = keyOf(scope.subscriptionId)
  const group = scope.resourceGroupName === undefined ? undefined : keyOf(scope.resourceGroupName)
  return readPage<Row>(
    { limit: pageSize, token, query: [kind, tenant, subscription, group], at: 'query/$skipToken' },
    (row) => [keyOf(row.resourceGroupName), keyOf(nameOf(row))],
    ([afterGroup, afterName] = ['', ''], limit) =>
      read(
        sql`tenant = ${tenant} and subscription_key = ${subscription}
          ${group === undefined ? empty : sql`and group_key = ${group}`}
          and (group_key, name_key) > (${afterGroup}, ${afterName})`,
        limit,
      ),
  )
}

/** For lists that always fit on one page. */
export function refuseToken(token: string | undefined): void {
  if (token === undefined) return
  invalid([{ at: 'query/$skipToken', message: 'is not a token of this list: start again without one' }])
}
