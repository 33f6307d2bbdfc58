export { groups } from './groups/contract.ts'
export { listeners } from './listeners/contract.ts'
export { machines } from './machines/contract.ts'
export { queries } from './queries/contract.ts'
