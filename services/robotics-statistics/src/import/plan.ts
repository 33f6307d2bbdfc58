import { brotli, etagOf, gzip } from '../answers/answer.ts'
import { assemble, pagesOf } from '../season/assemble.ts'
import { levels } from '../season/contract.ts'
import { type ListKind, type ListName, lists, pageSize } from '../season/lists.ts'
import type { KeptItem, NewAnswer } from './store.ts'

/** An item that is to be there, without the time of its last change. */
export type Desired = Omit<KeptItem, 'modified'>

/** Items of a list as they are to be kept. Several with one key are told apart by a number. */
export function desiredOf(
  list: ListName,
  items: readonly unknown[],
  teamsOf?: (key: string) => readonly number[],
): Desired[] {
  const kind: ListKind = lists[list]
  const seen = new Map<string, number>()
  return items.map((item, position) => {
    const plain = kind.keyOf(item as never)
    const nth = (seen.get(plain) ?? 0) + 1
    seen.set(plain, nth)
    const key = nth === 1 ? plain : `${plain} #${nth}`
    const teams = teamsOf?.(key) ?? (kind.teamsOf?.(item as never) ?? []).filter((team) => typeof team === 'number')
    return { key, position, content: JSON.stringify(item), teams }
  })
}

export interface Difference {
  /** New ones, and those that are different from what they were. */
  readonly changed: readonly Desired[]
  /** Those that only stand elsewhere in the list: they have not changed. */
  readonly moved: readonly KeptItem[]
  readonly gone: readonly string[]
}

export function difference(kept: readonly KeptItem[], desired: readonly Desired[]): Difference {
  const known = new Map(kept.map((item) => [item.key, item]))
  const isSame = (one: Desired, other: KeptItem | undefined) =>
    one.content === other?.content && one.teams.join() === other.teams.join()
  const changed = desired.filter((item) => !isSame(item, known.get(item.key)))
  const moved = desired.flatMap((item) => {
    const was = known.get(item.key)
    return was && isSame(item, was) && was.position !== item.position ? { ...was, position: item.position } : []
  })
  const keys = new Set(desired.map(({ key }) => key))
  return { changed, moved, gone: kept.filter(({ key }) => !keys.has(key)).map(({ key }) => key) }
}

export const isNone = ({ changed, moved, gone }: Difference) =>
  changed.length === 0 && moved.length === 0 && gone.length === 0

/** The answers to the usual questions about a list: all of it, or by level, or by page. */
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
    const some = items.filter(({ key }) => key.startsWith(`${level} `)).map(({ content }) => content)
    return answer(level, assemble(kind, some), some.length)
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
