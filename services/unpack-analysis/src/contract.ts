export { samples } from './samples/contract.ts'
