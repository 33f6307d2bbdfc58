import type { OnStop, Platform } from '@icosa/kernel'
import { openPress, type Press } from './notes/press.ts'

/** What a node holds open for the service. */
export interface Held {
  readonly press: Press
}

export function start(_: Platform, onStop: OnStop): Held {
  const press = openPress()
  onStop(() => press.close())
  return { press }
}
