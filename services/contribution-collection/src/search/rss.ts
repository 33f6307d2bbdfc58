import type { ShownContribution } from '../contributions/view.ts'
import { escaped } from '../text/escaped.ts'

const element = (name: string, text: string, attributes = '') => `<${name}${attributes}>${escaped(text)}</${name}>`

function itemOf(publicUrl: string, contribution: ShownContribution): string {
  const { latLong } = contribution.place ?? {}
  const largest = contribution.mediaUsages.flatMap(({ artifacts }) =>
    artifacts.toSorted((a, b) => b.contentLength - a.contentLength).slice(0, 1),
  )
  const [file] = largest
  return [
    '<item>',
    element('title', contribution.headline || contribution.assignment.name),
    ...(contribution.webUrl === undefined ? [] : [element('link', contribution.webUrl)]),
    element('guid', `${publicUrl}/contributions/${contribution.id}`, ' isPermaLink="false"'),
    element('pubDate', new Date(contribution.created).toUTCString()),
    ...(contribution.body === undefined ? [] : [element('description', contribution.body)]),
    ...(contribution.attribution === '' ? [] : [element('dc:creator', contribution.attribution)]),
    element('category', contribution.assignment.name),
    ...(latLong ? [element('georss:point', `${latLong.latitude} ${latLong.longitude}`)] : []),
    ...(file
      ? [`<enclosure url="${escaped(file.url)}" type="${escaped(file.contentType)}" length="${file.contentLength}"/>`]
      : []),
    '</item>',
  ].join('')
}

/** RSS 2.0 with GeoRSS Simple; `self` is the URL of the feed. */
export function rssOf(publicUrl: string, self: string, contributions: readonly ShownContribution[]): string {
  const names =
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:georss="http://www.georss.org/georss" ' +
    'xmlns:atom="http://www.w3.org/2005/Atom"'
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<rss version="2.0" ${names}><channel>`,
    element('title', 'Contributions'),
    element('link', publicUrl),
    element('description', 'Contributions, newest first.'),
    `<atom:link href="${escaped(self)}" rel="self" type="application/rss+xml"/>`,
    ...contributions.map((contribution) => itemOf(publicUrl, contribution)),
    '</channel></rss>',
  ].join('\n')
}
