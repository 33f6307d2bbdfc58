export const serviceName = 'robotics-statistics'

/** Header of the original API: requests only items that changed since a date. */
export const onlyModifiedSince = 'FMS-OnlyModifiedSince'

/** Version segment of every path. */
export const apiVersion = '3.0'
