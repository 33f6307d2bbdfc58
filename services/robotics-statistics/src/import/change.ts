import type { Clock, Db } from '@icosa/kernel'
import { type ListName, lists, ofAllEvents } from '../season/lists.ts'
import { answersOf, type Desired, difference, isNone } from './plan.ts'
import {
  dropItems,
  type KeptList,
  keptLists,
  lockSeasons,
  openScopes,
  putAnswers,
  putItems,
  putState,
  type Scope,
} from './store.ts'

const nothing: KeptList = { modified: 0, given: false, items: [] }

/**
 * One imported change: all that it touches gets the same version and the same time, or nothing happens. The time is the
 * next full second, later than any that a caller has been shown, and each list's own grows by one at least.
 */
export class Change {
  readonly db: Db
  readonly scope: Scope
  readonly #version: number
  readonly #clock: Clock
  rows = 0
  readonly changed = new Set<string>()

  private constructor(db: Db, scope: Scope, clock: Clock, version: number) {
    this.db = db
    this.scope = scope
    this.#clock = clock
    this.#version = version
  }

  static async begin(db: Db, scope: Scope, clock: Clock): Promise<Change> {
    return new Change(db, scope, clock, await lockSeasons(db, scope.tenant))
  }

  #stamp(was = 0) {
    const next = Math.floor(this.#clock.now().getTime() / 1_000) + 1
    return { version: this.#version, modified: Math.max(next, was + 1) }
  }

  /** Makes a list what it is to be. Answers whether that changed it. */
  async put(list: ListName, desired: readonly Desired[], kept: KeptList | undefined, given: boolean, at = this.scope) {
    const was = kept ?? nothing
    const found = difference(was.items, desired)
    if (kept && isNone(found) && was.given === given) return false
    const stamp = this.#stamp(was.modified)
    await putItems(this.db, at, list, [
      ...found.changed.map((item) => ({ ...item, modified: stamp.modified })),
      ...found.moved,
    ])
    await dropItems(this.db, at, list, found.gone)
    await putState(this.db, at, list, stamp, given)
    if (lists[list].envelope !== undefined || list === 'summary')
      await putAnswers(this.db, at, list, stamp, answersOf(list, desired))
    this.rows += found.changed.length + found.gone.length
    this.changed.add(list)
    return true
  }

  /** Makes events or districts known in which nothing has happened yet. */
  async open(list: ListName, scopes: readonly string[]): Promise<void> {
    if (scopes.length > 0) await openScopes(this.db, this.scope, scopes, list, this.#stamp())
  }

  /** Notes that a list has changed that is made of others. */
  async touch(list: string, at: Scope, was?: KeptList): Promise<void> {
    await putState(this.db, at, list, this.#stamp(was?.modified), false)
  }
}

/** Notes that a list of one event or district has changed, for those who ask for all of them. */
export async function touchAll(change: Change, scope: Omit<Scope, 'scope'>, list: ListName): Promise<void> {
  const at = { ...scope, scope: ofAllEvents }
  await change.touch(list, at, (await keptLists(change.db, at, [list])).get(list))
}
