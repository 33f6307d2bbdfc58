export const serviceName = 'podcast-directory'

/** Key header, in the specification's spelling and in the original one. */
export const keyHeaders = ['X-Vendor-Api-Key', 'X-ListenAPI-Key'] as const

/** Fields of replies and requests whose original spelling differs. */
export const originalFields = {
  vendor_url: 'listennotes_url',
  vendor_edit_url: 'listennotes_edit_url',
  storeone_id: 'itunes_id',
  storetwo_id: 'spotify_id',
} as const

export const originalForm = { storeone_ids: 'itunes_ids', storetwo_ids: 'spotify_ids' } as const

/** Kinds of podcast ids in the original spelling. */
export const originalIdTypes = {
  vendor_id: 'listennotes_id',
  storeone_id: 'itunes_id',
  storetwo_id: 'spotify_id',
} as const

/** Usage headers, in both spellings. */
export const usageHeaders = {
  freeQuota: ['X-Vendor-Api-FreeQuota', 'X-ListenAPI-FreeQuota'],
  usage: ['X-Vendor-Api-Usage', 'X-ListenAPI-Usage'],
  nextBillingDate: ['X-Vendor-Api-NextBillingDate', 'X-ListenAPI-NextBillingDate'],
  latencySeconds: ['X-Vendor-Api-Latency-Seconds', 'X-listenAPI-Latency-Seconds'],
} as const
