export { events } from './events/contract.ts'
export { listings } from './listings/contract.ts'
export { calculations } from './points/contract.ts'
export { rankings } from './rankings/contract.ts'
