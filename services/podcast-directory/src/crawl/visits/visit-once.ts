import type { Db, JobContext, JobsOf } from '@icosa/kernel'
import type { ServiceRuntime } from '../../runtime.ts'
import type { DirectorySettings } from '../../settings.ts'
import type { SendTo } from '../hosts/turns.ts'
import { type Outcome, request } from '../request.ts'
import { artworkVisit } from './artwork.ts'
import { feedVisit } from './feed.ts'
import type { Purpose } from './purpose.ts'
import * as visits from './store.ts'
import { transcriptVisit } from './transcript.ts'
import { hostOf, type Visit, type VisitKind } from './visit.ts'

const purposes: Readonly<Record<VisitKind, Purpose>> = {
  feed: feedVisit,
  artwork: artworkVisit,
  transcript: transcriptVisit,
}

export type VisitSettings = Pick<DirectorySettings, 'userAgent' | 'timeoutMs'>

/** Makes one visit and stores the result. Returns the pause that the host requests. */
export async function visitOnce(
  visit: Visit,
  context: JobContext<ServiceRuntime>,
  { userAgent, timeoutMs }: VisitSettings,
  sendTo: SendTo,
): Promise<number> {
  const { fetch, clock, signal, transaction } = context
  const purpose = purposes[visit.kind]
  const { accept, maxBytes } = purpose
  const outcome = await request(visit, { fetch, now: clock.now(), signal, userAgent, timeoutMs, accept, maxBytes })
  switch (outcome.kind) {
    case 'read':
      await readSafely(purpose, visit, outcome, context)
      return 0
    case 'unchanged':
      await purpose.unchanged(visit, context)
      return 0
    case 'redirected':
      await transaction((db, jobs) => follow(db, jobs, visit, outcome, clock.now(), sendTo))
      return 0
    case 'failed':
      await purpose.fail(visit, outcome, context)
      return outcome.backoffMs ?? 0
  }
}

/** An internal error must not block the host's other visits. If the job was lost, recording it fails, too. */
async function readSafely(
  purpose: Purpose,
  visit: Visit,
  { response }: Extract<Outcome, { readonly kind: 'read' }>,
  context: JobContext<ServiceRuntime>,
): Promise<void> {
  try {
    await purpose.read(visit, response, context)
  } catch (error) {
    context.log.error({ err: error, visit: { kind: visit.kind, id: visit.id } }, 'a visit could not be stored')
    await purpose.fail(visit, { reason: 'Something went wrong on our side.', lasting: false }, context)
  }
}

/** Schedules the redirect target in a turn of its host. */
async function follow(
  db: Db,
  jobs: JobsOf,
  visit: Visit,
  { to, permanent }: Extract<Outcome, { readonly kind: 'redirected' }>,
  now: Date,
  sendTo: SendTo,
): Promise<void> {
  const allPermanent = permanent && (visit.hops === 0 || visit.movingTo !== null)
  await visits.redirect(db, visit, to, allPermanent ? to : null, now)
  if (hostOf(to) !== visit.host) await sendTo(db, jobs, { host: hostOf(to), tenant: visit.tenant }, now)
}
