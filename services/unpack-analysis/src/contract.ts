export { rulesContract as rules } from './rules/contract.ts'
export { samples } from './samples/contract.ts'
