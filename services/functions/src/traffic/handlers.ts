import { Failure, implement, notFound, ok, type Resource } from '@icosa/kernel'
import { retire } from '../deploy/jobs.ts'
import * as revisions from '../deploy/store.ts'
import * as functions from '../functions/store.ts'
import type { UrlOf } from '../functions/url.ts'
import { entryOf, nameOf, toFunction } from '../functions/view.ts'
import { checkAccounts } from '../identities/access.ts'
import { unretire } from '../instances/store.ts'
import { traffic as contract } from './contract.ts'

export const traffic = (urlOf: UrlOf): Resource =>
  implement(contract, {
    async listRevisions({ params }, { db, caller }) {
      const row = (await functions.find(db, caller.tenant, params)) ?? notFound('function', nameOf(params))
      const all = await revisions.list(db, caller.tenant, params)
      return ok({
        revisions: all.map(({ id, number, createdAt, desired: { buildConfig } }) => ({
          ...{ id, number, createTime: createdAt.toISOString(), isServing: id === row.revision },
          ...{ runtime: buildConfig.runtime, entryPoint: buildConfig.entryPoint },
        })),
      })
    },

    async moveTraffic({ params, body }, { db, caller, clock, jobs, resources }) {
      const row = (await functions.findLocked(db, caller.tenant, params)) ?? notFound('function', nameOf(params))
      if (row.state === 'DEPLOYING' || row.state === 'DELETING')
        throw new Failure('conflict', `'${row.function}' is ${row.state}: wait for its operation to end.`)
      const all = await revisions.list(db, caller.tenant, params)
      const target = all.find(({ id }) => (body.revision ? id === body.revision : id !== row.revision))
      if (!target && body.revision) return notFound('revision', body.revision)
      if (!target)
        throw new Failure('preconditionFailed', `'${row.function}' has no other revision: update it to create one.`)
      if (target.id === row.revision) return ok(toFunction(row, urlOf))
      await checkAccounts(db, caller, target.desired) // its code gets the account's permissions again
      await unretire(db, target.id)
      const isLatest = target.id === all[0]?.id
      const updated = await functions.serve(db, row, { revision: target.id, isLatest, now: clock.now() })
      if (row.revision !== null) await jobs.enqueue(retire, { revision: row.revision })
      await resources.put(entryOf(updated))
      return ok(toFunction(updated, urlOf))
    },
  })
