import type { Platform } from '@icosa/kernel'
import { openResponseCache, type ResponseCache } from './answers/response-cache.ts'

export interface Held {
  readonly responses: ResponseCache
}

export const start = ({ database, clock }: Platform): Held => ({
  responses: openResponseCache((tenant) => database.of(tenant).reading, clock),
})
