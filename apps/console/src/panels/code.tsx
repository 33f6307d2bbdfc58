import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'
import { Copyable } from '../parts/snippets.tsx'

/** A text as it is. */
export default function Code({ reader }: { readonly reader: Reader }) {
  const value = reader.value('text')
  const text = typeof value === 'object' && value ? JSON.stringify(value, null, 2) : textOf(value)
  if (!text) return <p className="muted">There is nothing yet.</p>
  return <Copyable text={text} label={reader.panel.title} />
}
