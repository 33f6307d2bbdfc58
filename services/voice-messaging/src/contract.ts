export { api, configurationSets } from './configuration-sets/contract.ts'
export { eventDestinations } from './event-destinations/contract.ts'
export { messages } from './messages/contract.ts'
