import type { ShownContribution } from '../contributions/view.ts'
import { escaped } from '../text/escaped.ts'

const element = (name: string, text: string, attributes = '') => `<${name}${attributes}>${escaped(text)}</${name}>`

function itemOf(publicUrl: string, one: ShownContribution): string {
  const { latLong } = one.place ?? {}
  const largest = one.mediaUsages.flatMap(({ artifacts }) =>
    artifacts.toSorted((a, b) => b.contentLength - a.contentLength).slice(0, 1),
  )
  const [file] = largest
  return [
    '<item>',
    element('title', one.headline || one.assignment.name),
    ...(one.webUrl === undefined ? [] : [element('link', one.webUrl)]),
    element('guid', `${publicUrl}/contributions/${one.id}`, ' isPermaLink="false"'),
    element('pubDate', new Date(one.created).toUTCString()),
    ...(one.body === undefined ? [] : [element('description', one.body)]),
    ...(one.attribution === '' ? [] : [element('dc:creator', one.attribution)]),
    element('category', one.assignment.name),
    ...(latLong ? [element('georss:point', `${latLong.latitude} ${latLong.longitude}`)] : []),
    ...(file
      ? [`<enclosure url="${escaped(file.url)}" type="${escaped(file.contentType)}" length="${file.contentLength}"/>`]
      : []),
    '</item>',
  ].join('')
}

/** RSS 2.0 with places (GeoRSS Simple); `self` is where a reader of feeds finds it. */
export function rssOf(publicUrl: string, self: string, contributions: readonly ShownContribution[]): string {
  const names =
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:georss="http://www.georss.org/georss" ' +
    'xmlns:atom="http://www.w3.org/2005/Atom"'
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<rss version="2.0" ${names}><channel>`,
    element('title', 'Contributions'),
    element('link', publicUrl),
    element('description', 'What was sent, the newest first.'),
    `<atom:link href="${escaped(self)}" rel="self" type="application/rss+xml"/>`,
    ...contributions.map((one) => itemOf(publicUrl, one)),
    '</channel></rss>',
  ].join('\n')
}
