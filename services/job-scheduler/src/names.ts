export const serviceName = 'job-scheduler'

/** The namespace in the spelling of its original maker. */
export const originalNamespace = 'Microsoft.Scheduler'

/** The versions that clients send, the specified one first. */
export const versions = ['2016-03-01'] as const
