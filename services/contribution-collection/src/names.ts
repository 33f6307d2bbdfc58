export const serviceName = 'contribution-collection'

/** The token type by which a user of ours is known: `contributor.<session>.<user>`. */
export const subjectPrefix = 'contributor.'

/** The path segment in which the original's base address ends; with and without it, it is the same service. */
export const versionSegment = '/1'
