export const serviceName = 'contribution-collection'

/** Prefix of token subjects: `contributor.<session>.<user>`. */
export const subjectPrefix = 'contributor.'

/** Optional path segment, with which the base URL of the original ends. */
export const versionSegment = '/1'
