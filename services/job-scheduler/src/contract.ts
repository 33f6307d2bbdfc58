export { api, collections } from './collections/contract.ts'
export { jobs } from './jobs/contract.ts'
