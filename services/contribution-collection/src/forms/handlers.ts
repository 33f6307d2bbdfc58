import { Failure, implement, invalid, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { searchContextOf } from '../contributions/search-context.ts'
import { find as findContribution } from '../contributions/store.ts'
import { contributor } from '../dialect/caller.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { checkTags } from '../tags/check.ts'
import { tagsByIds } from '../tags/store.ts'
import { tagsOf } from '../tags/view.ts'
import { ensureUser } from '../users/store.ts'
import { forms as contract } from './contract.ts'
import { checkFields, checkResponses } from './fields.ts'
import * as store from './store.ts'

export const forms = implement<typeof contract, ServiceRuntime>(contract, {
  async listForms({ query }, context) {
    const { rows, total } = await store.listOf(context.db, context.caller.tenant, query.ownedBy, windowOf(query))
    return paged(await viewsOf(context, rows), total, query)
  },

  async createForm({ body }, context) {
    const { db, caller, clock } = context
    const { user: owner } = contributor(caller)
    await ensureUser(db, caller.tenant, owner, clock.now())
    checkFields(body.fields ?? [])
    const tags = await checkTags(db, caller.tenant, body.tags)
    const row = {
      owner,
      name: body.name ?? null,
      heading: body.heading ?? null,
      callToAction: body.callToAction ?? null,
      cssUrl: body.cssUrl ?? null,
      noCss: body.noCss ?? null,
      fields: body.fields ?? [],
      tags,
    }
    const [view] = await viewsOf(context, [await store.insert(db, caller.tenant, row)])
    return ok(view as NonNullable<typeof view>)
  },

  async getForm({ params: { id } }, context) {
    const row = (await store.find(context.db, context.caller.tenant, id)) ?? notFound('form', id)
    const [view] = await viewsOf(context, [row])
    return ok(view as NonNullable<typeof view>)
  },

  async deleteForm({ params: { id } }, { db, caller }) {
    const row = (await store.find(db, caller.tenant, id)) ?? notFound('form', id)
    const { user, isTenant } = contributor(caller)
    if (!isTenant && row.owner !== user) throw new Failure('forbidden', `The form '${id}' is not yours.`)
    await store.remove(db, caller.tenant, id)
    return { status: 200, body: undefined }
  },

  async createFormResponse({ body }, context) {
    const { db, caller, clock } = context
    const { user } = contributor(caller)
    const form =
      (await store.find(db, caller.tenant, body.form)) ??
      invalid([{ at: 'body/form', message: `is not an existing form: ${body.form}` }])
    checkResponses(form.fields, body.responses)
    const { contribution = null } = body
    if (contribution !== null && !(await findContribution(db, searchContextOf(context), contribution)))
      invalid([{ at: 'body/contribution', message: `is not an existing contribution: ${contribution}` }])
    await ensureUser(db, caller.tenant, user, clock.now())
    const response = { form: form.id, contribution, user, responses: body.responses }
    return ok(toResponse(await store.insertResponse(db, caller.tenant, response, clock.now())))
  },

  async listFormResponses({ query }, { db, caller }) {
    const { rows, total } = await store.listResponses(db, caller.tenant, contributor(caller), query, windowOf(query))
    return paged(rows.map(toResponse), total, query)
  },

  async getFormResponse({ params: { id } }, { db, caller }) {
    const row = await store.findResponse(db, caller.tenant, contributor(caller), id)
    return ok(toResponse(row ?? notFound('form response', id)))
  },
})

async function viewsOf({ db, caller }: ReadingContext<ServiceRuntime>, rows: readonly store.FormRow[]) {
  const tags = await tagsByIds(db, caller.tenant, [...new Set(rows.flatMap((row) => row.tags))])
  return rows.map((row) => ({
    id: row.id,
    ownedBy: row.owner,
    ...(row.name !== null && { name: row.name }),
    ...(row.heading !== null && { heading: row.heading }),
    ...(row.callToAction !== null && { callToAction: row.callToAction }),
    ...(row.cssUrl !== null && { cssUrl: row.cssUrl }),
    ...(row.noCss !== null && { noCss: row.noCss }),
    fields: [...row.fields],
    tags: tagsOf(row.tags, tags),
  }))
}

const toResponse = ({ id, form, contribution, user, at, responses }: store.ResponseRow) => ({
  id,
  form,
  ...(contribution !== null && { contribution }),
  user,
  date: at.toISOString(),
  responses: { ...responses },
})
