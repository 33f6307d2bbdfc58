export { type InstancesOptions, type OpenedInstances, openInstances } from './instances.ts'
export type { Line } from './lines.ts'
