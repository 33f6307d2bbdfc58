import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { indexed, seekerOf, startDiscovery } from '../testing/discovery.ts'
import { item, rss, type Site, send, startSite } from '../testing/site.ts'

const channel = (title: string, author: string, more = '') =>
  `<title>${title}</title><language>en-us</language><itunes:author>${author}</itunes:author>
   <description>${title} is a show.</description>${more}`

const at = (day: number, hour = 12) => new Date(Date.UTC(2025, 0, day, hour)).toUTCString()
const length = (minutes: number) => `<itunes:duration>${minutes * 60}</itunes:duration>`
const about = (text: string) => `<description><![CDATA[${text}]]></description>`

const pages = {
  '/space.xml': send(
    rss(
      [
        item({
          title: 'Star Wars and the moon',
          guid: 's1',
          pubDate: at(1),
          more: length(30) + about('<p>Jedi &amp; <b>knights</b></p>'),
        }),
        item({
          title: 'A star is born',
          guid: 's2',
          pubDate: at(2),
          more: length(60) + about('Nothing about wars here.'),
        }),
        item({
          title: 'Wars of the star',
          guid: 's3',
          pubDate: at(3),
          more: length(90) + about('Battles of long ago'),
        }),
        item({ title: 'Le café de la lune', guid: 's4', pubDate: at(4), more: length(10) + about('東京都の天気') }),
      ].join(''),
      channel('Space talk', 'Ada Lovelace', '<itunes:category text="Science"/>'),
    ),
  ),
  '/rough.xml': send(
    rss(
      item({ title: 'Star Wars, uncensored', guid: 'r1', pubDate: at(5), more: length(45) }),
      channel('Rough cuts', 'Grace Hopper', '<itunes:category text="Comedy"/><itunes:explicit>true</itunes:explicit>'),
    ),
  ),
}

let app: Awaited<ReturnType<typeof startDiscovery>>
let me: Awaited<ReturnType<typeof seekerOf>>
let site: Site

beforeAll(async () => {
  ;[app, site] = await Promise.all([startDiscovery(), startSite(pages)])
  me = await seekerOf(app)
  for (const path of Object.keys(pages)) await me.feeds.submitPodcast({ body: { rss: site.url + path } })
  await app.jobs.drain()
  await indexed(app)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

type Query = Parameters<typeof me.search>[0]['query']
const titles = async (query: Query) =>
  (await me.search({ query })).body.results.map(({ title_original }) => title_original)

test('episodes are found by their words, with title matches first', async () => {
  const { body } = await me.search({ query: { q: 'star wars' } })
  expect(body).toMatchObject({ count: 4, total: 4, next_offset: 4 })
  expect(body.took).toBeGreaterThan(0)
  expect(body.results.at(-1)?.title_original).toBe('A star is born')
  expect(body.results.find(({ title_original }) => title_original === 'Star Wars and the moon')).toMatchObject({
    title_highlighted:
      '<span class="ln-search-highlight">Star</span> <span class="ln-search-highlight">Wars</span> and the moon',
    description_original: 'Jedi & knights',
    description_highlighted: 'Jedi &amp; knights',
    audio_length_sec: 1_800,
    rss: `${site.url}/space.xml`,
    podcast: { title_original: 'Space talk', publisher_original: 'Ada Lovelace' },
  })
})

test.each<[Query, string[]]>([
  [{ q: '"star wars"' }, ['Star Wars, uncensored', 'Star Wars and the moon']],
  [{ q: 'star -wars' }, []],
  [{ q: 'star -moon -uncensored -"is born"' }, ['Wars of the star']],
  [{ q: 'lovelace moon' }, ['Star Wars and the moon']],
  [{ q: 'cafe' }, ['Le café de la lune']],
  [{ q: 'CAFÉ lune' }, ['Le café de la lune']],
  [{ q: '京都' }, ['Le café de la lune']],
  [{ q: 'battle' }, ['Wars of the star']],
  [{ q: 'knights' }, ['Star Wars and the moon']],
  [{ q: '"knight"' }, []],
  [{ q: 'star', only_in: 'description' }, []],
  [{ q: 'wars', only_in: 'description' }, ['A star is born']],
  [{ q: 'hopper', only_in: 'author' }, ['Star Wars, uncensored']],
  [{ q: 'wars', only_in: 'audio' }, []],
])('%j finds %j', async (query, expected) => {
  expect(await titles({ sort_by_date: 1, ...query })).toEqual(expected)
})

describe('episodes are filtered', () => {
  test('by date, length, genre, language, region and explicit language', async () => {
    expect(await titles({ q: 'star', sort_by_date: 1 })).toEqual([
      'Star Wars, uncensored',
      'Wars of the star',
      'A star is born',
      'Star Wars and the moon',
    ])
    expect(await titles({ q: 'star', sort_by_date: 1, len_min: 45, len_max: 60 })).toEqual([
      'Star Wars, uncensored',
      'A star is born',
    ])
    expect(await titles({ q: 'star', genre_ids: '133,77' })).toEqual(['Star Wars, uncensored'])
    expect(await titles({ q: 'star', language: 'Spanish' })).toEqual([])
    expect(await titles({ q: 'star', language: 'Any language', region: 'US' })).toHaveLength(4)
    expect(await titles({ q: 'star', safe_mode: 1 })).toHaveLength(3)
    const second = Date.UTC(2025, 0, 2, 12)
    expect(await titles({ q: 'star', published_after: second - 1, published_before: second + 1 })).toEqual([
      'A star is born',
    ])
    expect(await titles({ q: 'star', published_after: second, sort_by_date: 1 })).toEqual([
      'Star Wars, uncensored',
      'Wars of the star',
    ])
  })

  test('by podcast: only some, all but some, one of each', async () => {
    const { body } = await me.search({ query: { q: 'talk', type: 'podcast' } })
    const { id } = body.results[0] as { id: string }
    expect(await titles({ q: 'star', ncid: id })).toEqual(['Star Wars, uncensored'])
    expect(await titles({ q: 'star', ocid: id })).toHaveLength(3)
    const once = (await me.search({ query: { q: 'star', unique_podcasts: 1 } })).body
    expect(once).toMatchObject({ total: 2, count: 2 })
  })
})

test('podcasts can be searched and filtered', async () => {
  const { body } = await me.search({ query: { q: 'space', type: 'podcast' } })
  expect(body).toMatchObject({ total: 1, results: [{ title_original: 'Space talk', total_episodes: 4 }] })
  expect(body.results[0]).toMatchObject({ title_highlighted: '<span class="ln-search-highlight">Space</span> talk' })
  const podcasts = (query: Partial<Query>) => titles({ q: 'show', type: 'podcast', ...query })
  expect(await podcasts({ episode_count_min: 2 })).toEqual(['Space talk'])
  expect(await podcasts({ episode_count_max: 1 })).toEqual(['Rough cuts'])
  expect(await podcasts({ update_freq_min: 20, update_freq_max: 30 })).toEqual(['Space talk'])
  expect(await podcasts({ len_min: 47 })).toEqual(['Space talk'])
  expect(await podcasts({ safe_mode: 1 })).toEqual(['Space talk'])
})

test('episode titles are searched in one podcast, by any of its ids', async () => {
  const { body } = await me.search({ query: { q: 'space', type: 'podcast' } })
  const { id } = body.results[0] as { id: string }
  const totalOf = async (query: Omit<Parameters<typeof me.searchEpisodeTitles>[0]['query'], 'q'>) =>
    (await me.searchEpisodeTitles({ query: { q: 'wars', ...query } })).body.total
  expect(await totalOf({})).toBe(3)
  expect(await totalOf({ podcast_id: id })).toBe(2)
  expect(await totalOf({ podcast_id: `${site.url}/space.xml`, podcast_id_type: 'rss' })).toBe(2)
  expect(await totalOf({ podcast_id: '1', podcast_id_type: 'storeone_id' })).toBe(0)
  expect(await totalOf({ podcast_id: 'none', podcast_id_type: 'storetwo_id' })).toBe(0)
  expect(await totalOf({ podcast_id: 'none' })).toBe(0)
})

test.each([
  '/search',
  '/search?q=',
  `/search?q=${'x'.repeat(501)}`,
  '/search?q=a%00b',
  '/search?q=a&q=b',
  '/search?q=a&offset=9991',
  '/search?q=a&offset=-1',
  '/search?q=a&page_size=11',
  '/search?q=a&safe_mode=2',
  '/search?q=a&type=playlist',
  '/search?q=a&only_in=title,nowhere',
  '/search?q=a&genre_ids=science',
  '/search?q=a&published_after=5&published_before=5',
  `/search?q=a&ocid=${Array.from({ length: 6 }, (_, nth) => String(nth).repeat(32)).join(',')}`,
  '/search_episode_titles?q=a&podcast_id_type=isbn',
])('%s is refused', async (path) => expect((await me.get(path)).status).toBe(400))

const hostile = [
  '"', '""', "'", '\\', "\\'", '&', '|', '!', '<->', ':*', '()', '- - -', '-', '-"', '*:*', "' & !x | (", '%', '_',
  '🎙️', '👩‍👩‍👧', '\u202e\u200f', 'مرحبا', 'שלום', '\ufeff', '\ud7ff', '１２３', 'ﬁ', 'ß', 'İ', '\u0301', 'x'.repeat(500), '東'.repeat(500),
  Array.from({ length: 100 }, (_, nth) => `w${nth}`).join(' '), '-a '.repeat(100), '"a b" '.repeat(80), "'".repeat(500), '\\'.repeat(500),
] // biome-ignore format: a table

test.each(hostile)('%j is treated as search text', async (q) => {
  for (const path of [
    '/search?',
    '/search?type=podcast&sort_by_date=1&',
    '/typeahead?show_podcasts=1&show_genres=1&',
    '/spellcheck?',
    '/related_searches?',
    '/search_episode_titles?',
  ]) {
    const response = await me.get(`${path}${new URLSearchParams({ q })}`)
    expect([path, response.status]).toEqual([path, 200])
  }
})

test('paging works up to the maximum offset', async () => {
  expect((await me.search({ query: { q: 'star', offset: 9_990 } })).body).toMatchObject({
    count: 0,
    next_offset: 9_990,
    total: 4,
  })
  const pagesOfOne = await Promise.all([0, 1, 2, 3].map((offset) => titles({ q: 'star', offset, page_size: 1 })))
  expect(new Set(pagesOfOne.flat()).size).toBe(4)
})

test('tenants do not find each other’s podcasts', async () => {
  const other = await seekerOf(app, 'globex')
  expect((await other.search({ query: { q: 'star' } })).body.total).toBe(0)
  expect((await other.typeahead({ query: { q: 'spa', show_podcasts: 1 } })).body).toEqual({ terms: [], podcasts: [] })
})
