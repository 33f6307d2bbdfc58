export { type GuardedFetchOptions, guardedFetch } from './fetch.ts'
