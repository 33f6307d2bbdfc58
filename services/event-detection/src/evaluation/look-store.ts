import { sql } from '@icosa/kernel'
import { anyTimerDue } from '../instances/store.ts'
import { anyWaiting } from '../mailbox/store.ts'

/** Selects a row if a timer is due until then, or messages are queued. */
export const anyToEvaluate = (until: Date) => sql`select where exists (${anyTimerDue(until)}) or exists (${anyWaiting})`
