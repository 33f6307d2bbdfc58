import { implement, invalid, notFound, ok } from '@icosa/kernel'
import { contributor } from '../dialect/caller.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { slugOf } from '../text/words.ts'
import { ensureUser } from '../users/store.ts'
import { tags as contract } from './contract.ts'
import * as store from './store.ts'
import { toTag } from './view.ts'

const duplicateWords = (kind: string): never =>
  invalid([{ at: 'body/urlWords', message: `are already used by another of your ${kind}s` }])

export const tags = implement<typeof contract, ServiceRuntime>(contract, {
  async listTags({ query }, { db, caller }) {
    const { rows, total } = await store.listTags(db, caller.tenant, query, windowOf(query))
    return paged(rows.map(toTag), total, query)
  },

  async createTag({ body }, { db, caller, clock }) {
    const { user: owner } = contributor(caller)
    await ensureUser(db, caller.tenant, owner, clock.now())
    const { name, urlWords = slugOf(name) || 'tag', colour = null, tagSet } = body
    if (tagSet && !(await store.findTagSet(db, caller.tenant, tagSet.id)))
      invalid([{ at: 'body/tagSet', message: `is not an existing tag set: ${tagSet.id}` }])
    const tag = { owner, name, urlWords, colour, tagSet: tagSet?.id ?? null }
    return ok(toTag((await store.insertTag(db, caller.tenant, tag)) ?? duplicateWords('tag')))
  },

  async getTag({ params: { id } }, { db, caller }) {
    const tags = await store.tagsByIds(db, caller.tenant, [id])
    return ok(toTag(tags.get(id) ?? notFound('tag', id)))
  },

  async listTagSets({ query }, { db, caller }) {
    const { rows, total } = await store.listTagSets(db, caller.tenant, query, windowOf(query))
    return paged(rows, total, query)
  },

  async createTagSet({ body }, { db, caller, clock }) {
    const { user: owner } = contributor(caller)
    await ensureUser(db, caller.tenant, owner, clock.now())
    return ok((await store.insertTagSet(db, caller.tenant, { ...body, owner })) ?? duplicateWords('tag set'))
  },

  async getTagSet({ params: { id } }, { db, caller }) {
    return ok((await store.findTagSet(db, caller.tenant, id)) ?? notFound('tag set', id))
  },
})
