import { type Context, notFound, type ReadingContext } from '@icosa/kernel'
import { addressed, type WhichGroup } from './address.ts'
import * as store from './store.ts'

type Calling = Pick<ReadingContext, 'db' | 'caller'>
type Writing = Pick<Context, 'db' | 'caller'>

/** The group that a request means, or a refusal. */
export function lookup(region: string) {
  const address = (body: WhichGroup, { caller }: Calling) => addressed({ tenant: caller.tenant, region }, body)
  return {
    async found(body: WhichGroup, calling: Calling): Promise<store.GroupRow> {
      return (await store.find(calling.db, address(body, calling))) ?? missing(body)
    },
    /** No other request or job changes it until the transaction ends. */
    async locked(body: WhichGroup, calling: Writing): Promise<store.GroupRow> {
      return (await store.lock(calling.db, address(body, calling))) ?? missing(body)
    },
  }
}

function missing({ GroupName, Group }: WhichGroup): never {
  return notFound('group', GroupName ?? Group ?? '')
}
