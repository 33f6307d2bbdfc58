import { Failure, implement, ok } from '@icosa/kernel'
import { logging } from './contract.ts'
import { find, put } from './store.ts'

export const loggingOptions = implement(logging, {
  async PutLoggingOptions({ body: { loggingOptions } }, { db, caller }) {
    await put(db, caller.tenant, loggingOptions)
    return ok({})
  },

  async DescribeLoggingOptions(_, { db, caller }) {
    const loggingOptions = await find(db, caller.tenant)
    if (!loggingOptions) throw new Failure('notFound', 'No logging options are set: set them first.')
    return ok({ loggingOptions })
  },
})
