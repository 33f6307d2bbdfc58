export { type DescribedService, openapi } from './openapi.ts'
export * from './operation.ts'
export * from './path.ts'
export * from './schema.ts'
