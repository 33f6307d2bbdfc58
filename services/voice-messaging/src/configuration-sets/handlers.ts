import { arnOf } from '@icosa/dialects/signed/arn'
import { Failure, implement, invalid, lockName, ok } from '@icosa/kernel'
import { arnService, configurationSetType } from '../names.ts'
import type { VoiceSettings } from '../settings.ts'
import { configurationSets as contract } from './contract.ts'
import * as store from './store.ts'

const defaultPageSize = 100
const maxPageSize = 1_000

export function configurationSets({ region, limits }: Pick<VoiceSettings, 'region' | 'limits'>) {
  const arnOfSet = (tenant: string, name: string) =>
    arnOf({ service: arnService, region, tenant, resource: `configuration-set/${name}` })

  return implement(contract, {
    async CreateConfigurationSet(
      { body: { ConfigurationSetName: name } },
      { db, caller: { tenant }, clock, resources },
    ) {
      if (name === undefined) invalid([{ at: 'body/ConfigurationSetName', message: 'is required' }])
      await lockName(db, `configuration sets of ${tenant}`) // serializes counting
      if (!(await store.insert(db, tenant, name, clock.now())))
        throw new Failure('alreadyExists', `A configuration set '${name}' already exists: choose another name.`)
      const max = limits.configurationSets
      if ((await store.count(db, tenant, max + 1)) > max)
        throw new Failure(
          'preconditionFailed',
          `You have ${max} configuration sets, which is the limit: delete one first.`,
        )
      await resources.put({ id: arnOfSet(tenant, name), type: configurationSetType, name, location: region })
      return ok({})
    },

    async ListConfigurationSets({ query: { NextToken, PageSize } }, { db, caller }) {
      const limit = Number(PageSize ?? defaultPageSize)
      if (limit < 1 || limit > maxPageSize)
        invalid([{ at: 'query/PageSize', message: `must be from 1 to ${maxPageSize}` }])
      const { items, next } = await store.list(db, caller.tenant, limit, NextToken)
      return ok({ ConfigurationSets: items.map(({ name }) => name) }, { next })
    },

    async DeleteConfigurationSet({ params: { ConfigurationSetName: name } }, { db, caller: { tenant }, resources }) {
      if (!(await store.remove(db, tenant, name))) missing(name)
      await resources.remove(arnOfSet(tenant, name))
      return ok({})
    },
  })
}

export function missing(name: string): never {
  throw new Failure('notFound', `The configuration set '${name}' was not found: create it first.`)
}
