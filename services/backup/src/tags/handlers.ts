import { type Context, implement, lockName, notFound, ok, type ReadingDb, type ResourceEntry } from '@icosa/kernel'
import * as frameworks from '../frameworks/store.ts'
import * as holds from '../legal-holds/store.ts'
import * as plans from '../plans/store.ts'
import { entryOf as planEntry } from '../plans/view.ts'
import * as points from '../recovery-points/store.ts'
import * as reportPlans from '../reports/store.ts'
import * as testingPlans from '../restore-testing/store.ts'
import { type Owner, readOwnArn } from '../shapes/arns.ts'
import { checkedTags, type TagMap } from '../shapes/tags.ts'
import * as vaults from '../vaults/store.ts'
import { entryOf as vaultEntry } from '../vaults/view.ts'
import { tags as contract } from './contract.ts'

interface Tagged {
  readonly tags: TagMap
  put(db: Context['db'], tags: TagMap): Promise<void>
  /** What the rest of the platform is told of it. */
  readonly entry?: (tags: TagMap) => ResourceEntry
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Those whose ARN has the name and then an id. */
const byName: Readonly<Record<string, typeof frameworks | typeof reportPlans | typeof testingPlans>> = {
  framework: frameworks,
  'report-plan': reportPlans,
  'restore-testing-plan': testingPlans,
}

/** What an ARN of this service names, as far as its tags go. */
async function tagged(db: ReadingDb, owner: Owner, arn: string): Promise<Tagged> {
  const { tenant, region } = owner
  const { kind, name } = readOwnArn(owner, arn) ?? notFound('resource', arn)
  const missing = () => notFound('resource', arn)
  if (kind === 'backup-vault') {
    const row = (await vaults.find(db, tenant, name)) ?? missing()
    return {
      tags: row.tags,
      put: (inside, tags) => vaults.setTags(inside, row, tags),
      entry: (tags) => vaultEntry(region, { ...row, tags }),
    }
  }
  const audited = byName[kind]
  if (audited) {
    const [, own = '', id] = /^(.+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(name) ?? []
    const row = (await audited.find(db, tenant, own)) ?? missing()
    if (row.id !== id) missing()
    return { tags: row.tags, put: (inside, tags) => audited.setTags(inside, row as never, tags) }
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
  async function change({ db, caller, resources }: Context, arn: string, changed: (tags: TagMap) => TagMap) {
    await lockName(db, `tags of ${arn}`)
    const found = await tagged(db, { tenant: caller.tenant, region }, arn)
    const after = checkedTags(changed(found.tags), 'body/Tags')
    await found.put(db, after)
    if (found.entry) await resources.put(found.entry(after))
  }

  return implement(contract, {
    async ListTags({ params }, { db, caller }) {
      const found = await tagged(db, { tenant: caller.tenant, region }, params.resourceArn)
      return ok({ Tags: { ...found.tags } })
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
