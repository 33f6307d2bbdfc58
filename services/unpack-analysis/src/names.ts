export const serviceName = 'unpack-analysis'
/** Header of a platform key, which is optional while anonymous callers are allowed. */
export const keyHeader = 'X-Api-Key'
