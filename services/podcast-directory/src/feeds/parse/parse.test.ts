import { expect, test } from 'vitest'
import { item, rss } from '../../testing/site.ts'
import { parseFeed } from './parse.ts'

const nowMs = Date.UTC(2026, 0, 1)
const parse = (text: string) => parseFeed(text, 'https://host.example/shows/feed.xml', nowMs)

test('the podcast and iTunes namespaces are read with any prefixes', async () => {
  const channel = `<title>Radio &amp; more</title><link>https://www.radio.example/about</link><language>pt-BR</language>
    <description>&lt;b&gt;Listen&lt;/b&gt; at https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk,
      https://podcasts.apple.com/us/podcast/radio/id896354638 and https://x.com/radio_more</description>
    <i:author>Studio</i:author><i:owner><i:email>hi@radio.example</i:email></i:owner><i:type>Serial</i:type>
    <i:explicit>yes</i:explicit><i:image href="/cover.jpg"/><p:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</p:guid>
    <i:category text="Society &amp; Culture"><i:category text="Documentary"/></i:category><ttl>90</ttl>`
  const episode = item({
    title: 'One',
    guid: 'g-1',
    audio: '/audio/1.mp3?x=1&amp;y=2',
    pubDate: 'Wed, 31 Dec 2025 10:00:00 +0100',
    more: `<i:duration>01:02:03</i:duration><i:explicit>no</i:explicit><p:transcript url="1.vtt" type="text/vtt"/>
      <p:person role="guest">Ada</p:person><description><![CDATA[<p>Hello <item> there</p>]]></description>`,
  })
  const text = `<rss version="2.0" xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:p="https://podcastindex.org/namespace/1.0"><channel>${channel}${episode}</channel></rss>`
  const feed = await parse(text)
  expect(feed).toMatchObject({ complete: true, blocked: false, movedTo: '', ttlMs: 90 * 60_000 })
  expect(feed.podcast).toMatchObject({
    title: 'Radio & more',
    publisher: 'Studio',
    image: 'https://host.example/cover.jpg',
    language: 'Portuguese',
    region: 'br',
    explicitContent: true,
    domain: 'radio.example',
    email: 'hi@radio.example',
    type: 'serial',
    storeoneId: 896354638,
    storetwoId: '4rOoJ6Egrf8K2IrywzwOMk',
    podcastGuid: '917393e3-1b1e-5cef-ace4-edaa54e1f810',
    hasGuestInterviews: true,
    hasSponsors: false,
    extra: { twitter_handle: 'radio_more', spotify_url: 'https://open.spotify.com/show/4rOoJ6Egrf8K2IrywzwOMk' },
  })
  const [documentary, society, all] = feed.podcast.genreIds
  expect([society, all]).toEqual([122, 67])
  expect(documentary).toBeGreaterThan(1000)
  expect(feed.episodes).toMatchObject([
    {
      guid: 'g-1',
      audio: 'https://host.example/audio/1.mp3?x=1&y=2',
      audioLengthSec: 3723,
      pubDateMs: Date.UTC(2025, 11, 31, 9),
      explicitContent: false,
      description: '<p>Hello <item> there</p>',
      transcriptUrl: 'https://host.example/shows/1.vtt',
    },
  ])
})

test('the language of a feed is detected if it is not declared', async () => {
  const german =
    '<title>Gespräche am Abend</title><description>Wir reden über Bücher, die uns nicht mehr loslassen, und über das, was sie mit uns gemacht haben.</description>'
  expect((await parse(rss(item({ guid: '1' }), german))).podcast.language).toBe('German')
  const nonsense = '<title>xq zzt</title>'
  expect((await parse(rss(item({ guid: '1', title: 'qqq' }), nonsense))).podcast.language).toBe('')
})

test('an episode with a missing or duplicate guid is identified by its audio', async () => {
  const feed = await parse(
    rss(
      item({ audio: 'https://a.example/1.mp3' }) +
        item({ guid: 'same', audio: 'https://a.example/2.mp3' }) +
        item({ guid: 'same', audio: 'https://a.example/3.mp3' }) +
        item({ guid: 'same', audio: 'https://a.example/3.mp3' }),
    ),
  )
  expect(feed.episodes.map(({ guid }) => guid)).toEqual(['https://a.example/1.mp3', 'same', 'https://a.example/3.mp3'])
})

test('invalid times are ignored', async () => {
  const dates = ['yesterday', 'Mon, 01 Jan 1900 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT', '2025-06-01T12:00:00Z']
  const feed = await parse(
    rss(dates.map((pubDate, n) => item({ guid: `${n}`, audio: `https://a.example/${n}`, pubDate })).join('')),
  )
  expect(feed.episodes.map(({ pubDateMs }) => pubDateMs)).toEqual([
    undefined,
    undefined,
    undefined,
    Date.UTC(2025, 5, 1, 12),
  ])
})

test('long texts are truncated, never inside a tag', async () => {
  const long = `<p>${'word '.repeat(3_998)}<a href="https://somewhere.example/">there</a></p>`
  const feed = await parse(
    rss(
      item({
        guid: 'x'.repeat(5_000),
        title: 't'.repeat(5_000),
        more: `<description><![CDATA[${long}]]></description>`,
      }),
    ),
  )
  const [episode] = feed.episodes
  expect(episode?.title).toHaveLength(500)
  expect(episode?.guid).toHaveLength(1_000)
  expect(episode?.description.length).toBeLessThanOrEqual(20_000)
  expect(episode?.description).not.toMatch(/<[^>]*$/)
})

test('channel elements after the items are read, too', async () => {
  const text = rss(`${item({ guid: '1' })}<title>Late</title><!-- <item> --><link>https://late.example/</link>`, '')
  const feed = await parse(text)
  expect(feed.podcast).toMatchObject({ title: 'Late', website: 'https://late.example/' })
  expect(feed.episodes).toHaveLength(1)
})
