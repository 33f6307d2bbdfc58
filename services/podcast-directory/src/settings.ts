import { group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

/** What an operator decides about the directory. */
export const settings = group({
  monthlyQuota: setting('ICOSA_PODCAST_QUOTA', wholeNumber({ from: 1, unit: 'requests' }), {
    otherwise: 'as many as they like',
    example: '10000',
    meaning: 'How many requests a tenant may send in a calendar month (UTC); beyond it, 429.',
  }),
})

export interface DirectorySettings extends Partial<ValuesOf<typeof settings>> {
  /** Where callers reach the service, for addresses that are part of its replies. */
  readonly publicUrl: string
  /** How the crawler introduces itself to the hosts of feeds. */
  readonly userAgent: string
  /** How long a host has to answer completely. */
  readonly timeoutMs: number
  /** How long a host is left alone between two requests, which never overlap. */
  readonly hostPauseMs: number
}

export const defaultSettings: DirectorySettings = {
  publicUrl: 'http://127.0.0.1:4000/podcast-directory',
  userAgent: 'icosa-podcast-directory/1.0',
  timeoutMs: 30_000,
  hostPauseMs: 100,
}
