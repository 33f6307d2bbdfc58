export const serviceName = 'sql-virtual-machines'

/** The namespace in the spelling of the original maker. */
export const originalNamespace = 'Microsoft.SqlVirtualMachine'

export const versions = ['2017-03-01-preview'] as const

/** Who owns everything in a machine, and the database that is there from the start. */
export const adminRole = 'machine'
export const mainDatabase = 'main'

/** The one image that there is. */
export const imageOffer = 'PostgreSQL15'
