export { accessKeys } from './access-keys/contract.ts'
export { keyValues } from './key-values/contract.ts'
export { connections, linkResources } from './private-links/contract.ts'
export { api, stores } from './stores/contract.ts'
