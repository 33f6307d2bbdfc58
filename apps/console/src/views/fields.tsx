import type { Item } from '../data/values.ts'
import { timeOf } from '../data/values.ts'
import { Value } from '../parts/values.tsx'

const isSecret = /secret|password|token|private/i
const isTime = /(date|time|_at|_ms|At|created|updated|modified)$/i
const isState = /(^|[a-z])(state|status)$/i

function kindOf(name: string, value: unknown): string {
  if (isState.test(name) && typeof value === 'string') return 'state'
  if (isTime.test(name) && timeOf(value)) return 'time'
  if (/^(tags|labels)$/i.test(name)) return 'tags'
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' && /^https?:\/\//.test(value) ? 'link' : 'text'
}

/** All members of an item, with nested objects indented. Secrets are shown in the JSON only. */
export function Fields({ item }: { readonly item: Item }) {
  return (
    <dl className="fields">
      {Object.entries(item).map(([name, value]) => {
        const isObject =
          typeof value === 'object' && value !== null && !Array.isArray(value) && !/^(tags|labels)$/i.test(name)
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {isObject ? (
                <Fields item={value as Item} />
              ) : isSecret.test(name) && typeof value === 'string' && value !== '' ? (
                <span className="muted">hidden (see JSON)</span>
              ) : (
                <Value kind={kindOf(name, value)} value={value} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
