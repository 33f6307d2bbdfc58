import { type Context, implement, lockName, notFound, ok, type ReadingDb, type ResourceEntry } from '@icosa/kernel'
import * as frameworks from '../frameworks/store.ts'
import * as holds from '../legal-holds/store.ts'
import * as plans from '../plans/store.ts'
import { entryOf as planEntry } from '../plans/view.ts'
import * as points from '../recovery-points/store.ts'
import * as reportPlans from '../reports/store.ts'
import * as testingPlans from '../restore-testing/store.ts'
import { type Owner, parseOwnArn } from '../shapes/arns.ts'
import { checkedTags, type TagMap } from '../shapes/tags.ts'
import * as vaults from '../vaults/store.ts'
import { entryOf as vaultEntry } from '../vaults/view.ts'
import { tags as contract } from './contract.ts'

interface Tagged {
  readonly tags: TagMap
  put(db: Context['db'], tags: TagMap): Promise<void>
  /** Its entry in the platform's registry. */
  readonly entry?: (tags: TagMap) => ResourceEntry
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Stores of kinds whose ARN has a name and an id. */
const byName: Readonly<Record<string, typeof frameworks | typeof reportPlans | typeof testingPlans>> = {
  framework: frameworks,
  'report-plan': reportPlans,
  'restore-testing-plan': testingPlans,
}

/** Finds the tags of a resource by its ARN. */
async function findTagged(db: ReadingDb, owner: Owner, arn: string): Promise<Tagged> {
  const { tenant, region } = owner
  const { kind, name } = parseOwnArn(owner, arn) ?? notFound('resource', arn)
  const missing = () => notFound('resource', arn)
  if (kind === 'backup-vault') {
    const row = (await vaults.find(db, tenant, name)) ?? missing()
    return {
      tags: row.tags,
      put: (inside, tags) => vaults.setTags(inside, row, tags),
      entry: (tags) => vaultEntry(region, { ...row, tags }),
    }
  }
  const store = byName[kind]
  if (store) {
    const [, own = '', id] = /^(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name) ?? []
    const row = (await store.find(db, tenant, own)) ?? missing()
    if (row.id !== id) missing()
    return { tags: row.tags, put: (inside, tags) => store.setTags(inside, row as never, tags) }
  }
  if (!uuid.test(name)) missing()
  if (kind === 'recovery-point') {
    const row = (await points.find(db, tenant, name)) ?? missing()
    return { tags: row.tags, put: (inside, tags) => points.setTags(inside, row, tags) }
  }
  if (kind === 'backup-plan') {
    const row = (await plans.find(db, tenant, name)) ?? missing()
    if (row.deletedAt !== null) missing()
    return {
      tags: row.tags,
      put: (inside, tags) => plans.setTags(inside, row, tags),
      entry: (tags) => planEntry(region, { ...row, tags }),
    }
  }
  if (kind !== 'legal-hold') missing()
  const row = (await holds.find(db, tenant, name)) ?? missing()
  return { tags: row.tags, put: (inside, tags) => holds.setTags(inside, row, tags) }
}

export function tags(region: string) {
  async function change({ db, caller, resources }: Context, arn: string, update: (tags: TagMap) => TagMap) {
    await lockName(db, `tags of ${arn}`)
    const resource = await findTagged(db, { tenant: caller.tenant, region }, arn)
    const tags = checkedTags(update(resource.tags), 'body/Tags')
    await resource.put(db, tags)
    if (resource.entry) await resources.put(resource.entry(tags))
  }

  return implement(contract, {
    async ListTags({ params }, { db, caller }) {
      const resource = await findTagged(db, { tenant: caller.tenant, region }, params.resourceArn)
      return ok({ Tags: { ...resource.tags } })
    },

    async TagResource({ params, body }, context) {
      await change(context, params.resourceArn, (tags) => ({ ...tags, ...body.Tags }))
      return ok({})
    },

    async UntagResource({ params, body }, context) {
      await change(context, params.resourceArn, (tags) =>
        Object.fromEntries(Object.entries(tags).filter(([key]) => !body.TagKeyList.includes(key))),
      )
      return ok({})
    },
  })
}
