export { documented } from './documented/contract.ts'
export { tables } from './tables/contract.ts'
export { translations } from './translations/contract.ts'
