export const serviceName = 'configuration-stores'

/** The namespace in the spelling of its original maker. */
export const originalNamespace = 'Microsoft.AppConfiguration'

/** The versions that clients send, the specified one first. */
export const versions = ['2019-11-01-preview', '2022-05-01', '2023-03-01'] as const

/** Those whose clients know that a deleted store is kept. */
export const softDeleteVersions: readonly string[] = versions.slice(1)

/** How media types of the data plane begin, and where its errors are described. */
export interface Spelling {
  readonly media: string
  readonly errors: string
}
export const neutralSpelling: Spelling = { media: 'application/vnd.vendor.appconfig.', errors: 'urn:vendor:errors:' }
export const originalSpelling: Spelling = {
  media: 'application/vnd.microsoft.appconfig.',
  errors: 'https://azconfig.io/errors/',
}

/** Headers of a signed request, in every spelling, the one that counts first. */
export const dateHeaders = ['x-ms-date', 'x-vendor-date', 'date'] as const
export const contentHashHeaders = ['x-ms-content-sha256', 'x-vendor-content-sha256'] as const

/** Of a store, in every API. */
export const storeName = { pattern: /^[a-zA-Z0-9_-]{5,50}$/, description: '5 to 50 letters, digits, _ and -' }
