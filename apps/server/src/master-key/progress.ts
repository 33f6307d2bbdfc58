import { remark } from '@icosa/module'
import type { Progress } from './reseal.ts'

/** Reports progress once a second and at the end of each column. */
export function everySecond(): (progress: Progress) => void {
  let last = performance.now()
  const began = new Map<string, number>()
  return ({ column, done, of }) => {
    const now = performance.now()
    const since = began.get(column) ?? now
    began.set(column, since)
    if (now - last < 1_000 && done < of) return
    last = now
    const perSecond = now > since ? `, ${Math.round((done / (now - since)) * 1_000)} a second` : ''
    remark(`${column}: ${done} of ${of} re-encrypted${perSecond}`)
  }
}
