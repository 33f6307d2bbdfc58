import type { Static } from '@icosa/contract'
import type { Podcast } from '../../podcasts/podcast.ts'
import { toPodcastMinimum, toPodcastSimple } from '../../podcasts/view.ts'
import type { ListLinks } from '../links.ts'
import type { CuratedListFull, CuratedListSimple } from './contract.ts'
import type { CuratedList } from './store.ts'

const maxShown = 5

function fieldsOf({ id, title, description, sourceUrl, sourceDomain, pubDateMs }: CuratedList, links: ListLinks) {
  return {
    id,
    title,
    description,
    source_url: sourceUrl || links.curatedList(id),
    source_domain: sourceDomain || new URL(links.curatedList(id)).hostname,
    vendor_url: links.curatedList(id),
    pub_date_ms: pubDateMs,
  }
}

/** Listed podcasts, in the list's order. */
const podcastsOf = ({ podcastIds }: CuratedList, podcasts: ReadonlyMap<string, Podcast>) =>
  podcastIds.flatMap((id) => podcasts.get(id) ?? [])

export function toCuratedListSimple(
  list: CuratedList,
  podcasts: ReadonlyMap<string, Podcast>,
  links: ListLinks,
): Static<typeof CuratedListSimple> {
  const listPodcasts = podcastsOf(list, podcasts)
  const views = listPodcasts.slice(0, maxShown).map((podcast) => toPodcastMinimum(podcast, links))
  return { ...fieldsOf(list, links), podcasts: views, total: listPodcasts.length }
}

export function toCuratedListFull(
  list: CuratedList,
  podcasts: ReadonlyMap<string, Podcast>,
  links: ListLinks,
): Static<typeof CuratedListFull> {
  const listPodcasts = podcastsOf(list, podcasts).map((podcast) => toPodcastSimple(podcast, links))
  return { ...fieldsOf(list, links), podcasts: listPodcasts, total: listPodcasts.length }
}
