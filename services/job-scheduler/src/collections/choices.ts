import { invalid } from '@icosa/kernel'
import { canonical } from '../spelling/canonical.ts'
import type { JobCollectionInput } from './contract.ts'
import { readQuota, skus } from './quota.ts'
import type { Choices, CollectionState } from './store.ts'

const states = ['Enabled', 'Disabled', 'Suspended', 'Deleted'] as const

const defaults: Choices = { location: 'global', tags: {}, sku: 'Standard', state: 'Enabled', quota: {} }

/** Choices by PUT. Omitted fields get their defaults; an existing collection keeps its state and location. */
export function choicesFor(body: JobCollectionInput, old: Choices | undefined): Choices {
  return changed({ ...defaults, ...(old && { state: old.state, location: old.location }) }, body)
}

/** Choices by PATCH. */
export function changed(old: Choices, { location, tags, properties = {} }: JobCollectionInput): Choices {
  const { sku, state, quota } = properties
  return {
    location: location ?? old.location,
    tags: tags ?? old.tags,
    sku: sku?.name === undefined ? old.sku : canonical(skus, sku.name),
    state: state === undefined ? old.state : readState(canonical(states, state)),
    quota: quota === undefined ? old.quota : { ...old.quota, ...readQuota(quota) },
  }
}

function readState(state: (typeof states)[number]): CollectionState {
  if (state === 'Deleted') invalid([{ at: 'body/properties/state', message: 'cannot be Deleted: send DELETE' }])
  return state
}
