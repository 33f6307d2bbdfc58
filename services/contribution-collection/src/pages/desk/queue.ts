import { flagsOf } from '../../contributions/reactions-store.ts'
import type { State } from '../../contributions/states.ts'
import { type ShownContribution, shownContributions } from '../../contributions/view.ts'
import type { Contributor } from '../../dialect/caller.ts'
import { fullsize, poster } from '../../media/formats.ts'
import { copyPath, type Links } from '../../media/links.ts'
import { serviceName } from '../../names.ts'
import type { Asked } from '../../search/conditions-store.ts'
import { questionOf } from '../../search/question.ts'
import { count, list } from '../../search/store.ts'
import type { Host } from '../calls.ts'
import type { Item, Picture } from './views.ts'

const pageSize = 20
const linkMs = 3_600_000

export interface Queue {
  readonly items: readonly Item[]
  readonly waiting: number
  readonly next: string | undefined
}

const askedBy = ({ platform, runtime }: Host, viewer: Contributor): Asked => ({
  tenant: viewer.tenant,
  viewer,
  now: platform.clock.now(),
  geography: runtime.geography,
})

export function waitingIn(host: Host, viewer: Contributor, state: State): Promise<number> {
  const asked = askedBy(host, viewer)
  return count(host.platform.database.of(viewer.tenant), questionOf({ state }), asked)
}

/** Which contributions are looked at: those of a state, or one. */
export interface Selection {
  readonly state: State
  /** Where the page before ended. */
  readonly after?: string | undefined
  readonly contribution?: string | undefined
}

/** What waits for a decision, the newest first. */
export async function queueOf(
  host: Host,
  viewer: Contributor,
  { state, after, contribution }: Selection,
  links: Links,
): Promise<Queue> {
  const { tenant } = viewer
  const db = host.platform.database.of(tenant).reading
  const asked = askedBy(host, viewer)
  const [, time = '', id = ''] = /^(\d{1,15})-([1-9]\d{0,17})$/.exec(after ?? '') ?? []
  const position = id === '' ? undefined : { createdAt: new Date(Number(time)), id }
  const question = questionOf(contribution === undefined ? { state } : { state: 'any', ids: contribution })
  const rows = await list(db, question, asked, { after: position, limit: pageSize + 1 })
  const shownRows = rows.slice(0, pageSize)
  const shown = await shownContributions({ db, publicUrl: host.runtime.publicUrl, ...asked }, shownRows)
  const expires = new Date(asked.now.getTime() + linkMs)
  const items: Item[] = []
  for (const one of shown)
    items.push({
      contribution: one,
      pictures: picturesOf(one, tenant, links, expires),
      flags: await flagsOf(db, tenant, one.id),
    })
  const last = shownRows.at(-1)
  const next = rows.length > pageSize && last ? `${last.createdAt.getTime()}-${last.id}` : undefined
  return { items, waiting: await waitingIn(host, viewer, state), next }
}

const kinds: Readonly<Record<string, string>> = { image: 'Picture', video: 'Film' }

/** Of files that have something to be seen; addresses that are good for an hour. */
function picturesOf({ mediaUsages }: ShownContribution, tenant: string, links: Links, expires: Date): Picture[] {
  const address = (id: string, label: string) => `/${serviceName}${links.sign(copyPath(tenant, id, label), expires)}`
  return mediaUsages.flatMap(({ media, artifacts }) => {
    const seen = artifacts.find(({ label }) => label === 'medium') ?? artifacts.find(({ label }) => label === poster)
    if (!seen) return []
    return {
      src: address(media.id, seen.label),
      href: address(media.id, artifacts.some(({ label }) => label === fullsize) ? fullsize : seen.label),
      width: seen.width,
      height: seen.height,
      kind: kinds[media.type ?? ''] ?? 'File',
    }
  })
}
