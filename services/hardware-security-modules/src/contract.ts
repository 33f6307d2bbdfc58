export { keys } from './keys/contract.ts'
export { api, modules } from './modules/contract.ts'
export { pin } from './pins/contract.ts'
export { uses } from './uses/contract.ts'
