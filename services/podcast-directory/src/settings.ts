import { group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

export const settings = group({
  monthlyQuota: setting('ICOSA_PODCAST_QUOTA', wholeNumber({ from: 1, unit: 'requests' }), {
    otherwise: 'unlimited',
    example: '10000',
    meaning: 'Requests per tenant and calendar month (UTC); further ones get 429.',
  }),
})

export interface DirectorySettings extends Partial<ValuesOf<typeof settings>> {
  /** Base of the URLs in replies. */
  readonly publicUrl: string
  readonly userAgent: string
  /** Timeout for a complete response. */
  readonly timeoutMs: number
  /** Pause between two requests to a host, which never overlap. */
  readonly hostPauseMs: number
}

export const defaultSettings: DirectorySettings = {
  publicUrl: 'http://127.0.0.1:4000/podcast-directory',
  userAgent: 'icosa-podcast-directory/1.0',
  timeoutMs: 30_000,
  hostPauseMs: 100,
}
