export { type Egress, type EgressClient, type EgressOptions, openEgress } from './proxy.ts'
export { type EgressEntry, type EgressRules, egressEntry } from './rules.ts'
