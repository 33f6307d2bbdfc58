import type { Platform } from '@icosa/kernel'
import { openResponseCache, type ResponseCache } from './answers/response-cache.ts'

export interface ServiceRuntime {
  readonly responses: ResponseCache
}

export const start = ({ database, clock }: Platform): ServiceRuntime => ({
  responses: openResponseCache((tenant) => database.of(tenant).reading, clock),
})
