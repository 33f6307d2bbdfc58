import { openPool, type Pool } from '@icosa/compute'
import type { OnStop, Platform } from '@icosa/kernel'
import { openPress, type Press } from './notes/press.ts'
import type { ExampleSettings } from './settings.ts'

/** Objects that the service keeps open on a node. */
export interface ServiceRuntime {
  readonly press: Press
  /** Counts words in a thread, which starts at the first use. */
  readonly words: Pool<string, number>
}

export function startWith({ pressMs }: ExampleSettings) {
  return ({ metrics }: Platform, onStop: OnStop): ServiceRuntime => {
    const press = openPress(pressMs)
    onStop(() => press.close())
    const module = new URL('./notes/words-thread.ts', import.meta.url)
    const words = openPool<string, number>({ name: 'counting words', module, metrics })
    onStop(() => words.close())
    return { press, words }
  }
}
