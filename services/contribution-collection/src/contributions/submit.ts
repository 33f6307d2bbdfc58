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
import { findUser, meetUser } from '../users/store.ts'
import { type ContributionRow, insert, insertUsages } from './store.ts'

export type Submission = Static<typeof ContributionSubmission>

/** What is known of a contribution that was sent elsewhere before. */
interface Origin {
  readonly created: Date
  readonly author: string | undefined
  readonly ipAddress: string | null
}

/** Takes what somebody sends to an assignment, if it may be sent there now; what was sent before may come to a closed one. */
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
  const assignment = await takingAssignment(context, body, origin !== undefined)
  await meetUser(db, tenant, user, now)
  const ids = [...new Set((body.mediaUsages ?? []).map(({ media }) => media.id))]
  const media = await sentFiles(context, ids)
  if (assignment.mediaRequired && media.length === 0)
    invalid([{ at: 'body/mediaUsages', message: 'must have a file: this assignment is about pictures' }])
  const headline = body.headline?.trim() ?? ''
  if (headline === '' && (body.body ?? '').trim() === '' && media.length === 0)
    invalid([{ at: 'body/headline', message: 'must say something, unless a text or a file does' }])
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

async function takingAssignment(
  { db, caller, clock }: Context<ServiceRuntime>,
  body: Submission,
  isMoved: boolean,
): Promise<AssignmentRow> {
  const now = clock.now()
  const { id } = body.assignment
  const found =
    (await findForUse(db, caller.tenant, id)) ??
    invalid([{ at: 'body/assignment/id', message: `is no assignment: ${id}` }])
  if (isMoved) return found
  if (!isOpen(found, now)) invalid([{ at: 'body/assignment', message: 'is closed' }])
  if (found.startsAt && found.startsAt > now)
    invalid([{ at: 'body/assignment', message: `takes nothing before ${found.startsAt.toISOString()}` }])
  if (body.attribution === '' && !found.allowsAnonymous)
    invalid([{ at: 'body/attribution', message: 'must not be empty: this assignment takes nothing anonymous' }])
  return found
}

/** Files go into contributions of who sent them; the tenant's own credentials may use all. */
async function sentFiles({ db, caller }: Context<ServiceRuntime>, ids: readonly string[]): Promise<MediaRow[]> {
  if (ids.length === 0) return []
  const found = await mediaByIds(db, caller.tenant, ids)
  const missing = ids.filter((id) => !found.some((one) => one.id === id))
  if (missing.length > 0)
    invalid([{ at: 'body/mediaUsages', message: `has files that were not sent: ${missing.join(', ')}` }])
  const { user, isTenant } = contributor(caller)
  if (!isTenant && found.some(({ owner }) => owner !== user))
    throw new Failure('forbidden', 'Some of the files were sent by somebody else.')
  return found
}
