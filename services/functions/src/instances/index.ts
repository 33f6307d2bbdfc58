export { type InstancesOptions, type OpenedInstances, openInstances } from './instances.ts'
export type { FleetLimits } from './limits.ts'
export type { Line } from './lines.ts'
