export const serviceName = 'sql-virtual-machines'

/** The original's namespace. */
export const originalNamespace = 'Microsoft.SqlVirtualMachine'

export const versions = ['2017-03-01-preview'] as const

/** The owner and the initial database of a machine. */
export const adminRole = 'machine'
export const mainDatabase = 'main'

/** The only image. */
export const imageOffer = 'PostgreSQL15'
