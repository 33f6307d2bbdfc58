export const serviceName = 'sql-databases'

/** The original's namespace. */
export const originalNamespace = 'Microsoft.Sql'

/** The specified version, then those that clients use for servers, and for rules and usages. */
export const versions = ['2017-10-01-preview', '2015-05-01-preview', '2014-04-01'] as const
