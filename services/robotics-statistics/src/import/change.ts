import type { Clock, Db } from '@icosa/kernel'
import { type ListName, lists, ofAllEvents } from '../season/lists.ts'
import { answersOf, type Desired, difference } from './plan.ts'
import {
  deleteItems,
  findLists,
  lockSeasons,
  openScopes,
  putAnswers,
  putItems,
  putState,
  type Scope,
  type StoredList,
} from './store.ts'

const emptyList: StoredList = { modified: 0, given: false, items: [] }

/**
 * An imported change, committed as a whole with one version and one time. The time is the next full second, later than
 * any that a caller has seen; the time of each list increases by at least one.
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

  #stamp(previous = 0) {
    const next = Math.floor(this.#clock.now().getTime() / 1_000) + 1
    return { version: this.#version, modified: Math.max(next, previous + 1) }
  }

  /** Replaces a list. Returns whether that changed it. */
  async put(
    list: ListName,
    desired: readonly Desired[],
    stored: StoredList | undefined,
    isGiven: boolean,
    at = this.scope,
  ) {
    const previous = stored ?? emptyList
    const { changed, moved, removedKeys } = difference(previous.items, desired)
    const isSame = changed.length === 0 && moved.length === 0 && removedKeys.length === 0
    if (stored && isSame && previous.given === isGiven) return false
    const stamp = this.#stamp(previous.modified)
    await putItems(this.db, at, list, [...changed.map((item) => ({ ...item, modified: stamp.modified })), ...moved])
    await deleteItems(this.db, at, list, removedKeys)
    await putState(this.db, at, list, stamp, isGiven)
    if (lists[list].envelope !== undefined || list === 'summary')
      await putAnswers(this.db, at, list, stamp, answersOf(list, desired))
    this.rows += changed.length + removedKeys.length
    this.changed.add(list)
    return true
  }

  /** Creates empty events or districts. */
  async open(list: ListName, scopes: readonly string[]): Promise<void> {
    if (scopes.length > 0) await openScopes(this.db, this.scope, scopes, list, this.#stamp())
  }

  /** Marks a combined list as changed. */
  async touch(list: string, at: Scope, stored?: StoredList): Promise<void> {
    await putState(this.db, at, list, this.#stamp(stored?.modified), false)
  }
}

/** Marks the list of all events or districts as changed, after that of one of them. */
export async function touchAll(change: Change, scope: Omit<Scope, 'scope'>, list: ListName): Promise<void> {
  const at = { ...scope, scope: ofAllEvents }
  await change.touch(list, at, (await findLists(change.db, at, [list])).get(list))
}
