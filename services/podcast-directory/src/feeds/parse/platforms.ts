/** URL patterns of other platforms. */
const platforms: readonly (readonly [field: string, address: RegExp, form: 'url' | 'handle'])[] = [
  ['amazon_music_url', /https?:\/\/music\.amazon\.[a-z.]+\/podcasts\/[\w-]+/i, 'url'],
  ['facebook_handle', /https?:\/\/(?:www\.|m\.)?facebook\.com\/([\w.-]+)/i, 'handle'],
  ['google_url', /https?:\/\/podcasts\.google\.com\/[^\s"'<>)]+/i, 'url'],
  ['instagram_handle', /https?:\/\/(?:www\.)?instagram\.com\/([\w.]+)/i, 'handle'],
  ['linkedin_url', /https?:\/\/(?:www\.)?linkedin\.com\/(?:company|in|showcase)\/[\w-]+/i, 'url'],
  ['patreon_handle', /https?:\/\/(?:www\.)?patreon\.com\/([\w.-]+)/i, 'handle'],
  ['spotify_url', /https?:\/\/open\.spotify\.com\/show\/\w+/i, 'url'],
  ['twitter_handle', /https?:\/\/(?:www\.)?(?:twitter|x)\.com\/(\w{1,15})\b/i, 'handle'],
  ['youtube_url', /https?:\/\/(?:www\.)?youtube\.com\/(?:@|c\/|channel\/|user\/)[\w.-]+/i, 'url'],
]

export interface PlatformLinks {
  readonly extra: Readonly<Record<string, string>>
  readonly storeoneId: number | null
  readonly storetwoId: string | null
}

/** Links to other platforms in a channel. */
export function platformLinksIn(channel: string): PlatformLinks {
  const extra: Record<string, string> = {}
  for (const [field, pattern, form] of platforms) {
    const match = pattern.exec(channel)
    if (match) extra[field] = (form === 'handle' ? match[1] : match[0]) ?? ''
  }
  const storeone = /https?:\/\/(?:itunes|podcasts)\.apple\.com\/[^\s"'<>]*\bid(\d{6,12})\b/i.exec(channel)?.[1]
  const storetwo = /https?:\/\/open\.spotify\.com\/show\/(\w{22})\b/i.exec(channel)?.[1]
  return { extra, storeoneId: storeone === undefined ? null : Number(storeone), storetwoId: storetwo ?? null }
}
