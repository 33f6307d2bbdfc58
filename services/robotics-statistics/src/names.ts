export const serviceName = 'robotics-statistics'

/** Asks for those items alone that changed since a date: the original's own header. */
export const onlyModifiedSince = 'FMS-OnlyModifiedSince'

/** The version segment of every path. */
export const apiVersion = '3.0'
