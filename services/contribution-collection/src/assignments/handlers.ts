import type { Static } from '@icosa/contract'
import { type Context, Failure, implement, invalid, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { emptyAssignment } from '../deletion/jobs.ts'
import { contributor } from '../dialect/caller.ts'
import { mediaByIds } from '../media/usages-store.ts'
import { serviceName } from '../names.ts'
import { paged, windowOf } from '../paging/paging.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { AssignmentSubmission } from '../shapes/contract.ts'
import { checkTags } from '../tags/check.ts'
import { slugOf } from '../text/words.ts'
import { ensureUser, findUser } from '../users/store.ts'
import { assignments as contract } from './contract.ts'
import * as store from './store.ts'
import { shownAssignments } from './view.ts'

type Submission = Static<typeof AssignmentSubmission>

const defaultPageSize = 20
const registryId = (id: string) => `/${serviceName}/assignments/${id}`

export const assignments = implement<typeof contract, ServiceRuntime>(contract, {
  async listAssignments({ query }, context) {
    const { page, pageSize = defaultPageSize, ...filter } = query
    const { db, caller, clock } = context
    const { rows, total } = await store.list(db, caller.tenant, filter, clock.now(), windowOf({ page, pageSize }))
    return paged(await views(context, rows), total, { page, pageSize })
  },

  async createAssignment({ body }, context) {
    const { db, caller, clock, resources } = context
    const { user } = contributor(caller)
    await ensureUser(db, caller.tenant, user, clock.now())
    const row = body.id === undefined ? await create(context, user, body) : await change(context, body.id, body)
    const [view] = await views(context, [row])
    const tags = Object.fromEntries((view?.tags ?? []).map(({ name }) => [name, '']))
    await resources.put({ id: registryId(row.id), type: `${serviceName}/assignments`, name: row.name, tags })
    return ok(view as NonNullable<typeof view>)
  },

  async getAssignment({ params: { id } }, context) {
    const row = (await store.find(context.db, context.caller.tenant, id)) ?? notFound('assignment', id)
    const [view] = await views(context, [row])
    return ok(view as NonNullable<typeof view>)
  },

  async deleteAssignment({ params: { id } }, context) {
    const { db, caller, clock, jobs, resources } = context
    const row = (await store.find(db, caller.tenant, id)) ?? notFound('assignment', id)
    demandOwner(context, row)
    if (!(await store.markDeleted(db, caller.tenant, id, clock.now()))) notFound('assignment', id)
    await jobs.enqueue(emptyAssignment, { assignment: id }, { key: id })
    await resources.remove(registryId(id))
    return { status: 200, body: undefined }
  },
})

const views = ({ db, caller, clock, runtime }: ReadingContext<ServiceRuntime>, rows: readonly store.AssignmentRow[]) =>
  shownAssignments({ db, tenant: caller.tenant, now: clock.now(), publicUrl: runtime.publicUrl }, rows)

function demandOwner({ caller }: ReadingContext<ServiceRuntime>, { owner, id }: store.AssignmentRow): void {
  const { isTenant, user } = contributor(caller)
  if (!isTenant && owner !== user) throw new Failure('forbidden', `The assignment '${id}' is not yours.`)
}

async function create(context: Context<ServiceRuntime>, owner: string, body: Submission): Promise<store.AssignmentRow> {
  const { db, caller, clock } = context
  const row = await validRow(context, owner, body)
  const inserted = await store.insert(db, caller.tenant, row, clock.now())
  if (inserted) return inserted
  if (body.urlWords !== undefined) duplicateWords()
  for (let nth = 2; nth < 100; nth++) {
    const next = await store.insert(db, caller.tenant, { ...row, urlWords: `${row.urlWords}-${nth}` }, clock.now())
    if (next) return next
  }
  return duplicateWords()
}

const duplicateWords = (): never =>
  invalid([{ at: 'body/urlWords', message: 'are already used by another of your assignments' }])

async function change(context: Context<ServiceRuntime>, id: string, body: Submission): Promise<store.AssignmentRow> {
  const { db, caller } = context
  const current = (await store.find(db, caller.tenant, id)) ?? notFound('assignment', id)
  demandOwner(context, current)
  const row = await validRow(context, current.owner, { urlWords: current.urlWords, ...body })
  return (await store.update(db, caller.tenant, id, row)) ?? duplicateWords()
}

async function validRow(
  { db, caller }: Context<ServiceRuntime>,
  owner: string,
  body: Submission,
): Promise<store.NewAssignment> {
  const tags = await checkTags(db, caller.tenant, body.tags)
  const cover = body.cover?.media.id ?? null
  if (cover !== null && (await mediaByIds(db, caller.tenant, [cover])).length === 0)
    invalid([{ at: 'body/cover', message: `is not an uploaded file: ${cover}` }])
  const { moderator = null } = body
  if (moderator !== null && !(await findUser(db, caller.tenant, moderator)))
    invalid([{ at: 'body/moderator', message: `is not an existing user: ${moderator}` }])
  const [startsAt, endsAt] = [time(body, 'starts'), time(body, 'ends')]
  if (startsAt && endsAt && startsAt >= endsAt) invalid([{ at: 'body/ends', message: 'must be after starts' }])
  return {
    owner,
    moderator,
    name: body.name,
    description: body.description ?? null,
    urlWords: body.urlWords ?? (slugOf(body.name) || 'assignment'),
    startsAt,
    endsAt,
    embargo: time(body, 'embargo'),
    isFeatured: body.featured ?? false,
    mediaRequired: body.mediaRequired ?? false,
    allowsAnonymous: body.allowsAnonymousContributions ?? false,
    receiptMessage: body.receiptMessage ?? null,
    callToAction: body.callToAction ?? null,
    cover,
    tags,
  }
}

function time(body: Submission, field: 'starts' | 'ends' | 'embargo'): Date | null {
  const text = body[field]
  return text === undefined ? null : new Date(text)
}
