import { genresById } from '../podcasts/genres.ts'
import { disclaimer, episodeOf, type Show } from './synthetic.ts'

/** Flaws of real feeds. */
export type Flaw =
  | 'none'
  | 'latin1'
  | 'mislabelled'
  | 'nameless'
  | 'undated'
  | 'brokenItem'
  | 'truncated'
  | 'entities'
  | 'moved'
  | 'page'
  | 'missing'

const flaws: readonly Flaw[] = [
  'latin1',
  'mislabelled',
  'nameless',
  'undated',
  'brokenItem',
  'truncated',
  'entities',
  'moved',
  'page',
  'missing',
]

/** Every eighth feed has a flaw, each kind in turn. */
export const flawOf = (number: number): Flaw =>
  number % 8 === 7 ? (flaws[((number - 7) / 8) % flaws.length] as Flaw) : 'none'

/** Flaws with which a feed cannot be listed. */
export const isHopeless = (flaw: Flaw): boolean => flaw === 'page' || flaw === 'missing'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Feed with a show's first episodes, with URLs of its site. */
export function feedBytes(show: Show, episodes: number, site: string, flaw: Flaw): Buffer {
  const text = feedText(show, episodes, site, flaw)
  if (flaw === 'truncated') return Buffer.from(text.slice(0, Math.ceil(text.length * 0.8)))
  return Buffer.from(text, flaw === 'latin1' || flaw === 'mislabelled' ? 'latin1' : 'utf8')
}

function feedText(show: Show, episodes: number, site: string, flaw: Flaw): string {
  const { podcast, speaker, number } = show
  const home = `${site}/shows/${number}`
  const encoding = flaw === 'latin1' ? 'ISO-8859-1' : 'UTF-8'
  const categories = podcast.genreIds.flatMap((id) => genresById.get(id)?.name ?? []).slice(0, -1)
  const items = Array.from({ length: episodes }, (_, index) => item(show, episodes - 1 - index, home, flaw))
  return `<?xml version="1.0" encoding="${encoding}"?>${flaw === 'entities' ? bomb : ''}
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:podcast="https://podcastindex.org/namespace/1.0">
<channel>
<title>${escaped(podcast.title)}</title>
<link>${home}/</link>
<description>${escaped(podcast.description)}</description>
<language>${speaker.tag}</language>
<itunes:author>${escaped(podcast.publisher)}</itunes:author>
<itunes:owner><itunes:name>${escaped(podcast.publisher)}</itunes:name><itunes:email>${podcast.email}</itunes:email></itunes:owner>
<itunes:explicit>${podcast.explicitContent}</itunes:explicit>
<itunes:type>${podcast.type}</itunes:type>
<itunes:image href="${site}/artwork/${number}.png"/>
${categories.map((name) => `<itunes:category text="${escaped(name)}"/>`).join('\n')}
<podcast:guid>synthetic-${podcast.id}</podcast:guid>
<podcast:locked>no</podcast:locked>
${items.join('\n')}
</channel>
</rss>
`
}

function item(show: Show, nth: number, home: string, flaw: Flaw): string {
  const { podcast } = show
  const episode = episodeOf(show, nth)
  const length = 44 + 8_000
  return `<item>
<title>${escaped(episode.title)}</title>
${flaw === 'nameless' ? '' : `<guid isPermaLink="false">${episode.guid}</guid>`}
${flaw === 'undated' ? '' : `<pubDate>${new Date(episode.pubDateMs).toUTCString()}</pubDate>`}
<link>${home}/episodes/${nth}</link>
<enclosure url="${home}/audio/${nth}.wav" length="${length}" type="audio/wav"/>
<itunes:duration>${episode.audioLengthSec}</itunes:duration>
<itunes:explicit>${episode.explicitContent}</itunes:explicit>
<description>${escaped(disclaimer)}</description>
<content:encoded><![CDATA[${episode.description}${flaw === 'entities' ? ' &h;' : ''}]]></content:encoded>
${podcast.hasGuestInterviews ? '<podcast:person role="guest">A synthetic guest</podcast:person>' : ''}
${nth % 10 === 0 ? `<podcast:transcript url="${home}/transcripts/${nth}.vtt" type="text/vtt"/>` : ''}
${flaw === 'brokenItem' && nth === 0 ? '<itunes:keywords>never <closed' : ''}
</item>`
}

/** Billion laughs: a parser that expands entities would need a gigabyte. */
const bomb = `<!DOCTYPE rss [<!ENTITY a "synthetic ">${'bcdefgh'
  .split('')
  .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefg'[index]};`.repeat(10)}">`)
  .join('')}]>`
