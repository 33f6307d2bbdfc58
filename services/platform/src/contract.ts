export { clock } from './clock/contract.ts'
export { state } from './state/contract.ts'
