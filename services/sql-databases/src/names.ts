export const serviceName = 'sql-databases'

/** The namespace in the spelling of the original maker. */
export const originalNamespace = 'Microsoft.Sql'

/** The specified version first, then those with which clients ask for servers, and for rules and usages. */
export const versions = ['2017-10-01-preview', '2015-05-01-preview', '2014-04-01'] as const
