import { comparison } from './comparison/contract.ts'
import { detection } from './detection/contract.ts'

/** The contracts of the service, by the names of its resources. */
export const contracts = { Face: detection, Comparison: comparison }
