import { currentArn } from '@icosa/dialects/signed/arn'
import { canonicalName, registryKeys } from '@icosa/dialects/signed/resource-name'
import { type Context, Failure, implement, ok, type ReadingDb } from '@icosa/kernel'
import { allowedTypes, holders, isStatic } from '../configurations/rules.ts'
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
  const { locked } = lookup(region)

  async function staticGroup(Group: string, context: Context): Promise<GroupRow> {
    const group = await locked({ Group }, context)
    if (isStatic(group.configuration)) return group
    const kinds = holders.join(' or ')
    throw new Failure(
      'invalid',
      `The group '${group.name}' does not accept resources: its configuration is not ${kinds}.`,
    )
  }

  return implement(contract, {
    async GroupResources({ body }, context) {
      const { db } = context
      const group = await staticGroup(body.Group, context)
      const all = await named(db, { tenant: group.tenant, region }, body.ResourceArns)
      const allowed = allowedTypes(group.configuration)
      const failed = all.flatMap(({ text, key, type }) => {
        if (type === undefined) return [{ key, ...notThere(text) }]
        const isAllowed = allowed === 'all' || allowed.includes(type.toLowerCase())
        return isAllowed ? [] : [{ key, ...notAllowed(text, type) }]
      })
      const taken = all.filter(({ key }) => !failed.some((one) => one.key === key))
      const keys = taken.map(({ key }) => key)
      const waiting = await store.add(db, group, keys, group.status === 'UPDATING')
      await events.membersChanged(context, group)
      const done = taken.map((one) => outcome(one, waiting.has(one.key) ? 'IN_PROGRESS' : 'SUCCESS'))
      await statuses.record(db, group, 'GROUP', [...done, ...failed.map(failure)], context.clock.now())
      return ok({
        Succeeded: taken.filter(({ key }) => !waiting.has(key)).map(({ text }) => text),
        Failed: failed.map(({ key: _, ...one }) => one),
        Pending: taken.filter(({ key }) => waiting.has(key)).map(({ text }) => ({ ResourceArn: text })),
      })
    },

    async UngroupResources({ body }, context) {
      const group = await staticGroup(body.Group, context)
      const all = await named(context.db, { tenant: group.tenant, region }, body.ResourceArns)
      const keysOf = ({ key, text, type }: Named) => (type === undefined ? keysNamed(group, text) : [key])
      const removed = await store.remove(context.db, group, all.flatMap(keysOf))
      const wasMember = (one: Named) => keysOf(one).some((key) => removed.has(key))
      const failed = all.filter((one) => !wasMember(one)).map(({ key, text }) => ({ key, ...notIn(text) }))
      const done = all.filter(wasMember)
      const outcomes = [...done.map((one) => outcome(one, 'SUCCESS')), ...failed.map(failure)]
      await statuses.record(context.db, group, 'UNGROUP', outcomes, context.clock.now())
      await events.membersChanged(context, group)
      return ok({
        Succeeded: done.map(({ text }) => text),
        Failed: failed.map(({ key: _, ...one }) => one),
        Pending: [],
      })
    },
  })

  /** Where the registry had a resource that is gone. */
  function keysNamed({ tenant }: GroupRow, text: string): string[] {
    const name = canonicalName({ tenant, region }, text)
    return name === undefined ? [] : registryKeys(name)
  }
}

/** A resource that a request names. */
interface Named {
  readonly text: string
  /** In the registry; of what is not there, the text in lower case. */
  readonly key: string
  readonly type: string | undefined
}

/** ARNs as they are written now. Of two spellings of one resource the first counts. */
async function named(db: ReadingDb, owner: AccountScope, texts: readonly string[]): Promise<Named[]> {
  const current = texts.map((text) => currentArn(text, owner.tenant))
  const found = await registry.findNamed(db, owner, current)
  const all = current.map((text) => {
    const resource = found.get(text)
    return { text, key: resource?.key ?? text.toLowerCase(), type: resource?.type }
  })
  return [...new Map(all.toReversed().map((one) => [one.key, one])).values()].reverse()
}

const outcome = ({ key, text: id }: Named, status: 'SUCCESS' | 'IN_PROGRESS') => ({ key, id, status })

const failure = ({
  key,
  ResourceArn: id,
  ErrorCode: errorCode,
  ErrorMessage: errorMessage,
}: Failed & { readonly key: string }) => ({ key, id, status: 'FAILED' as const, errorCode, errorMessage })

const notThere = (id: string): Failed => ({
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
