export const serviceName = 'unpack-analysis'
/** The interface has no credentials; a platform key in this header is optional while anonymous callers are served. */
export const keyHeader = 'X-Api-Key'
