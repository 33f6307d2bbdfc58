export const serviceName = 'configuration-stores'

/** The namespace in the original vendor's spelling. */
export const originalNamespace = 'Microsoft.AppConfiguration'

/** Supported versions, the specified one first. */
export const versions = ['2019-11-01-preview', '2022-05-01', '2023-03-01'] as const

/** Versions with soft delete. */
export const softDeleteVersions: readonly string[] = versions.slice(1)

/** Prefixes of media types and error types. */
export interface Spelling {
  readonly media: string
  readonly errors: string
}
export const neutralSpelling: Spelling = { media: 'application/vnd.vendor.appconfig.', errors: 'urn:vendor:errors:' }
export const originalSpelling: Spelling = {
  media: 'application/vnd.microsoft.appconfig.',
  errors: 'https://azconfig.io/errors/',
}

/** Headers of a signed request in every spelling, by precedence. */
export const dateHeaders = ['x-ms-date', 'x-vendor-date', 'date'] as const
export const contentHashHeaders = ['x-ms-content-sha256', 'x-vendor-content-sha256'] as const

export const storeName = { pattern: /^[a-zA-Z0-9_-]{5,50}$/, description: '5 to 50 letters, digits, _ and -' }
