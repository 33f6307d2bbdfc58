/** Writes items in the order in which they come. While it writes some, others gather, and are written together. */
export function gathering<T>(write: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: T[] = []
  let turn: Promise<void> | undefined // that has not begun
  let last: Promise<void> = Promise.resolve()
  return (item) => {
    waiting.push(item)
    if (!turn) {
      const begin = () => {
        const items = waiting
        waiting = []
        turn = undefined
        return write(items)
      }
      turn = last.then(begin, begin)
      last = turn
    }
    return turn
  }
}
