import { type AnyJob, Failure, implement, invalid, ok } from '@icosa/kernel'
import { missing as missingSet } from '../configuration-sets/handlers.ts'
import * as sets from '../configuration-sets/store.ts'
import type { Delivery } from '../events/deliver.ts'
import type { VoiceSettings } from '../settings.ts'
import { eventDestinations as contract, type EventDestinationDefinition } from './contract.ts'
import { type Destination, readDestination, toEventDestination } from './destination.ts'
import { resolveDestination } from './resolve.ts'
import * as store from './store.ts'

export function eventDestinations(settings: VoiceSettings, deliver: AnyJob<Delivery>) {
  const max = settings.limits.eventDestinations

  /** Parses a definition, and refuses unresolvable destinations. */
  function resolvable(tenant: string, definition: EventDestinationDefinition | undefined): Destination {
    const destination = readDestination(definition)
    resolveDestination(tenant, destination, settings)
    return destination
  }

  return implement(contract, {
    async CreateConfigurationSetEventDestination({ params, body }, { db, caller: { tenant }, clock }) {
      const { EventDestinationName: name, EventDestination } = body
      const set = params.ConfigurationSetName
      if (!(await sets.lock(db, tenant, set))) missingSet(set)
      if (name === undefined) invalid([{ at: 'body/EventDestinationName', message: 'is required' }])
      const destination = resolvable(tenant, EventDestination)
      if (!(await store.insert(db, tenant, set, { name, ...destination }, clock.now())))
        throw new Failure('alreadyExists', `An event destination '${name}' already exists: change it with PUT.`)
      if ((await store.list(db, tenant, set, max + 1)).length > max)
        throw new Failure('preconditionFailed', `A configuration set can have at most ${max} event destinations.`)
      return ok({})
    },

    async GetConfigurationSetEventDestinations({ params: { ConfigurationSetName: set } }, { db, caller: { tenant } }) {
      if (!(await sets.exists(db, tenant, set))) missingSet(set)
      return ok({ EventDestinations: (await store.list(db, tenant, set, max)).map(toEventDestination) })
    },

    async UpdateConfigurationSetEventDestination({ params, body }, { db, caller: { tenant }, clock, jobs }) {
      const { ConfigurationSetName: set, EventDestinationName: name } = params
      if (!(await sets.exists(db, tenant, set))) missingSet(set)
      const destination = resolvable(tenant, body.EventDestination)
      const assignment = await store.change(db, tenant, set, { name, ...destination }, clock.now())
      // Undelivered events are retried immediately.
      await jobs.enqueue(deliver, { ...(assignment ?? missing(set, name)), failures: 0 })
      return ok({})
    },

    async DeleteConfigurationSetEventDestination({ params }, { db, caller: { tenant } }) {
      const { ConfigurationSetName: set, EventDestinationName: name } = params
      if (!(await sets.exists(db, tenant, set))) missingSet(set)
      if (!(await store.remove(db, tenant, set, name))) missing(set, name)
      return ok({})
    },
  })
}

function missing(set: string, name: string): never {
  throw new Failure('notFound', `The configuration set '${set}' has no event destination '${name}': create it first.`)
}
