/** The namespace in the spelling of the original maker. */
export const originalNamespace = 'Microsoft.Sql'

export const versions = ['2017-10-01-preview'] as const
