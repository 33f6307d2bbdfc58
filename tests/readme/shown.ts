import { expect } from 'vitest'
import type { Block } from './blocks.ts'

/** "…" in a page's output matches anything. */
const orAnything = (_: string, value: unknown) => (value === '…' ? expect.anything() : value)

/** Compares the output of a block with that on the page. */
export function expectShown({ kind, text }: Block, printed: string) {
  if (kind !== 'json')
    return expect(`\n${printed.trim()}`.endsWith(`\n${text}`), `${printed}\nends in\n${text}`).toBe(true)
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual(JSON.parse(text, orAnything))
}
