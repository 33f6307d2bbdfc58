export { clients } from './clients/contract.ts'
export { protocol } from './protocol/contract.ts'
export { sessions } from './sessions/contract.ts'
