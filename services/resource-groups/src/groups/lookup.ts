import { type Context, notFound, type ReadingContext } from '@icosa/kernel'
import { groupKeyOf, type WhichGroup } from './address.ts'
import * as store from './store.ts'

type Calling = Pick<ReadingContext, 'db' | 'caller'>
type Writing = Pick<Context, 'db' | 'caller'>

export function lookup(region: string) {
  const address = (body: WhichGroup, { caller }: Calling) => groupKeyOf({ tenant: caller.tenant, region }, body)
  return {
    async demandGroup(body: WhichGroup, calling: Calling): Promise<store.GroupRow> {
      return (await store.find(calling.db, address(body, calling))) ?? missing(body)
    },
    /** Also locks it until the transaction ends. */
    async lockGroup(body: WhichGroup, calling: Writing): Promise<store.GroupRow> {
      return (await store.lock(calling.db, address(body, calling))) ?? missing(body)
    },
  }
}

function missing({ GroupName, Group }: WhichGroup): never {
  return notFound('group', GroupName ?? Group ?? '')
}
