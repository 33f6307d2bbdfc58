export { diagnostics } from './diagnostics/contract.ts'
