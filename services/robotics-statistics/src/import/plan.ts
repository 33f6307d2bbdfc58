import { brotli, etagOf, gzip } from '../answers/answer.ts'
import { assemble, pagesOf } from '../season/assemble.ts'
import { levels } from '../season/contract.ts'
import { type ListKind, type ListName, lists, pageSize } from '../season/lists.ts'
import type { NewAnswer, StoredItem } from './store.ts'

/** An item to store, without the time of its last change. */
export type Desired = Omit<StoredItem, 'modified'>

/** Converts items of a list for storage. Duplicate keys are numbered. */
export function desiredOf(
  list: ListName,
  items: readonly unknown[],
  teamsOf?: (key: string) => readonly number[],
): Desired[] {
  const kind: ListKind = lists[list]
  const counts = new Map<string, number>()
  return items.map((item, position) => {
    const plain = kind.keyOf(item as never)
    const nth = (counts.get(plain) ?? 0) + 1
    counts.set(plain, nth)
    const key = nth === 1 ? plain : `${plain} #${nth}`
    const teams = teamsOf?.(key) ?? (kind.teamsOf?.(item as never) ?? []).filter((team) => typeof team === 'number')
    return { key, position, content: JSON.stringify(item), teams }
  })
}

export interface Difference {
  /** New and changed items. */
  readonly changed: readonly Desired[]
  /** Items whose position changed and nothing else. */
  readonly moved: readonly StoredItem[]
  readonly removedKeys: readonly string[]
}

export function difference(stored: readonly StoredItem[], desired: readonly Desired[]): Difference {
  const storedByKey = new Map(stored.map((item) => [item.key, item]))
  const isSame = (a: Desired, b: StoredItem | undefined) =>
    a.content === b?.content && a.teams.join() === b.teams.join()
  const changed = desired.filter((item) => !isSame(item, storedByKey.get(item.key)))
  const moved = desired.flatMap((item) => {
    const previous = storedByKey.get(item.key)
    if (!previous || !isSame(item, previous) || previous.position === item.position) return []
    return { ...previous, position: item.position }
  })
  const keys = new Set(desired.map(({ key }) => key))
  return { changed, moved, removedKeys: stored.filter(({ key }) => !keys.has(key)).map(({ key }) => key) }
}

/** Precomputes the answers to common questions: the whole list, each level or each page. */
export function answersOf(list: ListName, items: readonly Desired[]): NewAnswer[] {
  const kind: ListKind = lists[list]
  const contents = items.map(({ content }) => content)
  if (kind.paged) {
    const pages = Math.max(1, pagesOf(items.length))
    return Array.from({ length: pages }, (_, index) =>
      answer(String(index + 1), assemble(kind, contents, index + 1), Math.min(pageSize, items.length)),
    )
  }
  const whole = answer('', assemble(kind, contents), items.length)
  if (!kind.levelOf) return [whole]
  const ofLevel = levels.map((level) => {
    const selected = items.filter(({ key }) => key.startsWith(`${level} `)).map(({ content }) => content)
    return answer(level, assemble(kind, selected), selected.length)
  })
  return [whole, ...ofLevel]
}

const answer = (part: string, text: string, items: number): NewAnswer => ({
  part,
  items,
  etag: etagOf(text),
  gzip: gzip(text),
  br: brotli(text),
})
