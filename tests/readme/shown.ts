import { expect } from 'vitest'
import type { Block } from './blocks.ts'

/** In what a page shows, "…" stands for anything. */
const orAnything = (_: string, value: unknown) => (value === '…' ? expect.anything() : value)

/** Compares what a block printed with what the page shows below it. */
export function expectShown({ kind, text }: Block, printed: string) {
  if (kind !== 'json')
    return expect(`\n${printed.trim()}`.endsWith(`\n${text}`), `${printed}\nends in\n${text}`).toBe(true)
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual(JSON.parse(text, orAnything))
}
