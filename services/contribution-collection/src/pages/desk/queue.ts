import { flagsOf } from '../../contributions/reactions-store.ts'
import type { State } from '../../contributions/states.ts'
import { type ShownContribution, shownContributions } from '../../contributions/view.ts'
import type { Contributor } from '../../dialect/caller.ts'
import { fullsize, poster } from '../../media/formats.ts'
import { copyPath, type Links } from '../../media/links.ts'
import { serviceName } from '../../names.ts'
import type { SearchContext } from '../../search/conditions-store.ts'
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

const searchContextOf = ({ platform, runtime }: Host, viewer: Contributor): SearchContext => ({
  tenant: viewer.tenant,
  viewer,
  now: platform.clock.now(),
  geography: runtime.geography,
})

export function waitingIn(host: Host, viewer: Contributor, state: State): Promise<number> {
  const searchContext = searchContextOf(host, viewer)
  return count(host.platform.database.of(viewer.tenant), questionOf({ state }), searchContext)
}

/** Contributions in a state, or a single one. */
export interface Selection {
  readonly state: State
  /** End of the previous page. */
  readonly after?: string | undefined
  readonly contribution?: string | undefined
}

/** Newest first. */
export async function queueOf(
  host: Host,
  viewer: Contributor,
  { state, after, contribution }: Selection,
  links: Links,
): Promise<Queue> {
  const { tenant } = viewer
  const db = host.platform.database.of(tenant).reading
  const searchContext = searchContextOf(host, viewer)
  const [, time = '', id = ''] = /^(\d{1,15})-([1-9]\d{0,17})$/.exec(after ?? '') ?? []
  const position = id === '' ? undefined : { createdAt: new Date(Number(time)), id }
  const question = questionOf(contribution === undefined ? { state } : { state: 'any', ids: contribution })
  const rows = await list(db, question, searchContext, { after: position, limit: pageSize + 1 })
  const pageRows = rows.slice(0, pageSize)
  const contributions = await shownContributions({ db, publicUrl: host.runtime.publicUrl, ...searchContext }, pageRows)
  const expires = new Date(searchContext.now.getTime() + linkMs)
  const items: Item[] = []
  for (const item of contributions)
    items.push({
      contribution: item,
      pictures: picturesOf(item, tenant, links, expires),
      flags: await flagsOf(db, tenant, item.id),
    })
  const last = pageRows.at(-1)
  const next = rows.length > pageSize && last ? `${last.createdAt.getTime()}-${last.id}` : undefined
  return { items, waiting: await waitingIn(host, viewer, state), next }
}

const kinds: Readonly<Record<string, string>> = { image: 'Picture', video: 'Film' }

/** Previewable files, with URLs that are valid for an hour. */
function picturesOf({ mediaUsages }: ShownContribution, tenant: string, links: Links, expires: Date): Picture[] {
  const address = (id: string, label: string) => `/${serviceName}${links.sign(copyPath(tenant, id, label), expires)}`
  return mediaUsages.flatMap(({ media, artifacts }) => {
    const preview = artifacts.find(({ label }) => label === 'medium') ?? artifacts.find(({ label }) => label === poster)
    if (!preview) return []
    return {
      src: address(media.id, preview.label),
      href: address(media.id, artifacts.some(({ label }) => label === fullsize) ? fullsize : preview.label),
      width: preview.width,
      height: preview.height,
      kind: kinds[media.type ?? ''] ?? 'File',
    }
  })
}
