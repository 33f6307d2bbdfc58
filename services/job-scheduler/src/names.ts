export const serviceName = 'job-scheduler'

/** The namespace in the original vendor's spelling. */
export const originalNamespace = 'Microsoft.Scheduler'

/** Supported versions, the specified one first. */
export const versions = ['2016-03-01'] as const
