import { invalid } from '@icosa/kernel'
import { canonical } from '../spelling/canonical.ts'
import type { JobCollectionInput } from './contract.ts'
import { readQuota, skus } from './quota.ts'
import type { Choices, CollectionState } from './store.ts'

const states = ['Enabled', 'Disabled', 'Suspended', 'Deleted'] as const

const usual: Choices = { location: 'global', tags: {}, sku: 'Standard', state: 'Enabled', quota: {} }

/** What a PUT asks for. What it leaves out is as usual; the state of a collection that is there stays. */
export function chosen(body: JobCollectionInput, old: Choices | undefined): Choices {
  return changed({ ...usual, ...(old && { state: old.state, location: old.location }) }, body)
}

/** What a PATCH leaves. */
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
