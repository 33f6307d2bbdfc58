import { NotAPodcast } from '../../../services/podcast-directory/src/feeds/feed.ts'
import { textOf } from '../../../services/podcast-directory/src/feeds/parse/charset.ts'
import { parseFeed } from '../../../services/podcast-directory/src/feeds/parse/parse.ts'
import { plainTranscript } from '../../../services/podcast-directory/src/feeds/parse/transcript.ts'
import type { Target } from '../target.ts'

const item =
  '<item><title>One</title><guid>1</guid><pubDate>Tue, 17 Nov 2026 10:00:00 GMT</pubDate><enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="1"/><itunes:duration>1:02:03</itunes:duration><content:encoded><![CDATA[<p>Hi</p>]]></content:encoded></item>'

export const target: Target = {
  seeds: [
    `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>T</title><link>https://a.example</link><language>en</language><itunes:category text="Arts"><itunes:category text="Books"/></itunes:category>${item}</channel></rss>`,
    `<rss><channel><title>&lt;b&gt;x</title>${item}${item}</channel></rss>`,
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n01:00:01,000 --> 01:00:02,000\nagain\n',
    '{"segments": [{"startTime": 1.5, "body": "Welcome"}]}',
  ],
  dictionary: [
    '<item>',
    '</item>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '&amp;',
    '&#x41;',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '&a;',
    '<channel>',
    '</channel>',
    ' -->',
    '\n\n',
    '<a ',
    '__proto__',
    '<p>',
    '\uFEFF',
  ],
  refusals: [NotAPodcast],
  maxBytes: 100_000,
  async run(bytes) {
    const text = textOf(bytes, 'application/xml')
    plainTranscript(text, 'text/vtt')
    plainTranscript(text, 'application/json')
    plainTranscript(text, 'text/html')
    await parseFeed(text, 'https://a.example/feed', 1_800_000_000_000)
  },
}
