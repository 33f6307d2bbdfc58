import type { Static } from '@icosa/contract'
import { type Context, Failure, invalid } from '@icosa/kernel'
import { type AssignmentRow, findForUse } from '../assignments/store.ts'
import { isOpen } from '../assignments/view.ts'
import { contributor } from '../dialect/caller.ts'
import { locate } from '../geo/place.ts'
import { type MediaRow, mediaByIds } from '../media/usages-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { ContributionSubmission } from '../shapes/contract.ts'
import { slugOf, wordKey, wordsOf } from '../text/words.ts'
import { ensureUser, findUser } from '../users/store.ts'
import { type ContributionRow, insert, insertUsages } from './store.ts'

export type Submission = Static<typeof ContributionSubmission>

/** Origin of a migrated contribution. */
interface Origin {
  readonly created: Date
  readonly author: string | undefined
  readonly ipAddress: string | null
}

/** Creates a contribution. Its assignment must be open, unless the contribution is migrated. */
export async function submit(
  context: Context<ServiceRuntime>,
  body: Submission,
  origin?: Origin,
): Promise<ContributionRow> {
  const { db, caller, clock } = context
  const { tenant } = caller
  const { user: sender, ip, isTenant } = contributor(caller)
  const now = clock.now()
  const user = origin?.author ?? sender
  const assignment = await findAssignment(context, body, origin !== undefined)
  await ensureUser(db, tenant, user, now)
  const ids = [...new Set((body.mediaUsages ?? []).map(({ media }) => media.id))]
  const media = await findFiles(context, ids)
  if (assignment.mediaRequired && media.length === 0)
    invalid([{ at: 'body/mediaUsages', message: 'must contain a file: this assignment requires media' }])
  const headline = body.headline?.trim() ?? ''
  if (headline === '' && (body.body ?? '').trim() === '' && media.length === 0)
    invalid([{ at: 'body/headline', message: 'must not be empty without a body or a file' }])
  const attribution =
    body.attribution ?? (isTenant && user === sender ? '' : ((await findUser(db, tenant, user))?.displayName ?? ''))
  const row = await insert(
    db,
    tenant,
    {
      assignment: assignment.id,
      author: user,
      owner: assignment.owner,
      headline: body.headline ?? '',
      body: body.body ?? null,
      attribution,
      slug: slugOf(headline) || 'contribution',
      wordKeys: wordsOf(headline).map((word) => wordKey(tenant, word)),
      mediaTypes: [...new Set(media.map(({ type }) => type))].sort(),
      ipAddress: origin ? origin.ipAddress : ip,
      authority: caller.id,
      ...locate(body.place),
    },
    origin?.created ?? now,
  )
  if (ids.length > 0) await insertUsages(db, tenant, row.id, ids)
  return row
}

async function findAssignment(
  { db, caller, clock }: Context<ServiceRuntime>,
  body: Submission,
  isMoved: boolean,
): Promise<AssignmentRow> {
  const now = clock.now()
  const { id } = body.assignment
  const assignment =
    (await findForUse(db, caller.tenant, id)) ??
    invalid([{ at: 'body/assignment/id', message: `is not an existing assignment: ${id}` }])
  if (isMoved) return assignment
  if (!isOpen(assignment, now)) invalid([{ at: 'body/assignment', message: 'is closed' }])
  if (assignment.startsAt && assignment.startsAt > now)
    invalid([{ at: 'body/assignment', message: `does not open before ${assignment.startsAt.toISOString()}` }])
  if (body.attribution === '' && !assignment.allowsAnonymous)
    invalid([
      { at: 'body/attribution', message: 'must not be empty: this assignment accepts no anonymous contributions' },
    ])
  return assignment
}

/** Users may attach only their own uploads, platform keys all files of the tenant. */
async function findFiles({ db, caller }: Context<ServiceRuntime>, ids: readonly string[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  const files = await mediaByIds(db, caller.tenant, ids)
  const missing = ids.filter((id) => !files.some((file) => file.id === id))
  if (missing.length > 0)
    invalid([{ at: 'body/mediaUsages', message: `contains files that do not exist: ${missing.join(', ')}` }])
  const { user, isTenant } = contributor(caller)
  if (!isTenant && files.some(({ owner }) => owner !== user))
    throw new Failure('forbidden', 'Some of the files were uploaded by another user.')
  return files
}
