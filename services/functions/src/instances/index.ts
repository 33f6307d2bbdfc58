export { type FleetLimits, fleetLimits } from './fleet.ts'
export { type InstancesOptions, type OpenedInstances, openInstances } from './instances.ts'
export type { Line } from './lines.ts'
