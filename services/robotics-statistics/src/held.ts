import type { Platform } from '@icosa/kernel'
import { type Desk, openDesk } from './answers/desk.ts'

/** What a node holds: the answers that it has in memory, and what it knows of their lists. */
export interface Held {
  readonly desk: Desk
}

export const start = ({ database, clock }: Platform): Held => ({
  desk: openDesk((tenant) => database.of(tenant).reading, clock),
})
