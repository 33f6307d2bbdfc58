import { currentArn } from '@icosa/dialects/signed/arn'
import { canonicalName, registryKeys } from '@icosa/dialects/signed/resource-name'
import { type Context, Failure, implement, ok, type ReadingDb } from '@icosa/kernel'
import { allowedTypes, isStatic, staticTypes } from '../configurations/rules.ts'
import type { GroupEvents } from '../events/events.ts'
import * as statuses from '../grouping-statuses/store.ts'
import type { AccountScope } from '../groups/address.ts'
import { lookup } from '../groups/lookup.ts'
import type { GroupRow } from '../groups/store.ts'
import * as registry from '../queries/registry-store.ts'
import { members as contract, type Outcome } from './contract.ts'
import * as store from './store.ts'

type Failed = Outcome['Failed'][number]

export function members(region: string, events: GroupEvents) {
  const { lockGroup } = lookup(region)

  async function staticGroup(Group: string, context: Context): Promise<GroupRow> {
    const group = await lockGroup({ Group }, context)
    if (isStatic(group.configuration)) return group
    const kinds = staticTypes.join(' or ')
    throw new Failure(
      'invalid',
      `The group '${group.name}' does not accept resources: its configuration is not ${kinds}.`,
    )
  }

  return implement(contract, {
    async GroupResources({ body }, context) {
      const { db } = context
      const group = await staticGroup(body.Group, context)
      const resources = await resolve(db, { tenant: group.tenant, region }, body.ResourceArns)
      const allowed = allowedTypes(group.configuration)
      const failed = resources.flatMap(({ text, key, type }) => {
        if (type === undefined) return [{ key, ...notRegistered(text) }]
        const isAllowed = allowed === 'all' || allowed.includes(type.toLowerCase())
        return isAllowed ? [] : [{ key, ...notAllowed(text, type) }]
      })
      const accepted = resources.filter(({ key }) => !failed.some((failure) => failure.key === key))
      const keys = accepted.map(({ key }) => key)
      const waiting = await store.add(db, group, keys, group.status === 'UPDATING')
      await events.membersChanged(context, group)
      const done = accepted.map((resource) => outcome(resource, waiting.has(resource.key) ? 'IN_PROGRESS' : 'SUCCESS'))
      await statuses.record(db, group, 'GROUP', [...done, ...failed.map(failedOutcome)], context.clock.now())
      return ok({
        Succeeded: accepted.filter(({ key }) => !waiting.has(key)).map(({ text }) => text),
        Failed: failed.map(({ key: _, ...failure }) => failure),
        Pending: accepted.filter(({ key }) => waiting.has(key)).map(({ text }) => ({ ResourceArn: text })),
      })
    },

    async UngroupResources({ body }, context) {
      const group = await staticGroup(body.Group, context)
      const resources = await resolve(context.db, { tenant: group.tenant, region }, body.ResourceArns)
      const keysOf = ({ key, text, type }: RequestedResource) => (type === undefined ? formerKeys(group, text) : [key])
      const removed = await store.remove(context.db, group, resources.flatMap(keysOf))
      const wasMember = (resource: RequestedResource) => keysOf(resource).some((key) => removed.has(key))
      const failed = resources
        .filter((resource) => !wasMember(resource))
        .map(({ key, text }) => ({ key, ...notIn(text) }))
      const done = resources.filter(wasMember)
      const outcomes = [...done.map((resource) => outcome(resource, 'SUCCESS')), ...failed.map(failedOutcome)]
      await statuses.record(context.db, group, 'UNGROUP', outcomes, context.clock.now())
      await events.membersChanged(context, group)
      return ok({
        Succeeded: done.map(({ text }) => text),
        Failed: failed.map(({ key: _, ...failure }) => failure),
        Pending: [],
      })
    },
  })

  /** Possible registry keys of a deleted resource. */
  function formerKeys({ tenant }: GroupRow, text: string): string[] {
    const name = canonicalName({ tenant, region }, text)
    return name === undefined ? [] : registryKeys(name)
  }
}

/** A resource in a request. */
interface RequestedResource {
  readonly text: string
  /** The registry key; without one, the text in lower case. */
  readonly key: string
  readonly type: string | undefined
}

/** Resolves ARNs in old and new forms. Of two spellings of one resource, the first is used. */
async function resolve(db: ReadingDb, owner: AccountScope, texts: readonly string[]): Promise<RequestedResource[]> {
  const current = texts.map((text) => currentArn(text, owner.tenant))
  const registered = await registry.findNamed(db, owner, current)
  const resources = current.map((text) => {
    const resource = registered.get(text)
    return { text, key: resource?.key ?? text.toLowerCase(), type: resource?.type }
  })
  return [...new Map(resources.toReversed().map((resource) => [resource.key, resource])).values()].reverse()
}

const outcome = ({ key, text: id }: RequestedResource, status: 'SUCCESS' | 'IN_PROGRESS') => ({ key, id, status })

const failedOutcome = ({
  key,
  ResourceArn: id,
  ErrorCode: errorCode,
  ErrorMessage: errorMessage,
}: Failed & { readonly key: string }) => ({ key, id, status: 'FAILED' as const, errorCode, errorMessage })

const notRegistered = (id: string): Failed => ({
  ResourceArn: id,
  ErrorCode: 'RESOURCE_NOT_FOUND',
  ErrorMessage: 'No service has registered such a resource: look it up with a search.',
})

const notAllowed = (id: string, type: string): Failed => ({
  ResourceArn: id,
  ErrorCode: 'RESOURCE_TYPE_NOT_ALLOWED',
  ErrorMessage: `The group's configuration does not allow the type ${type}: see allowed-resource-types.`,
})

const notIn = (id: string): Failed => ({
  ResourceArn: id,
  ErrorCode: 'RESOURCE_NOT_IN_GROUP',
  ErrorMessage: 'The resource is not a member of the group.',
})
