export { type Fault, type FaultKind, type FaultRequest, faultKinds } from './fault.ts'
export { type Faults, openFaults } from './faults.ts'
