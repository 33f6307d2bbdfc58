import { type Item, textOf, timeOf } from '../data/values.ts'
import { Value } from '../parts/values.tsx'

const isSecret = /secret|password|token|private/i
/** About a secret, not the secret itself. */
const isAbout = /(method|endpoint|uri|url|type|count|at|ms|id|name|status|state|expir\w*|enabled)$/i
const isTime = /(date|time|_at|_ms|At|created|updated|modified)$/i
const isDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const isState = /(^|[a-z])(state|status)$/i

function kindOf(name: string, value: unknown): string {
  if (isState.test(name) && typeof value === 'string') return 'state'
  if ((isTime.test(name) || isDateTime.test(textOf(value))) && timeOf(value)) return 'time'
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
              ) : isListOfObjects(value) ? (
                <Entries list={value} />
              ) : isSecret.test(name) && !isAbout.test(name) && typeof value === 'string' && value !== '' ? (
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

const isListOfObjects = (value: unknown): value is readonly Item[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null)

const maxEntries = 20

/** The first objects of a list, each with its fields. */
function Entries({ list }: { readonly list: readonly Item[] }) {
  return (
    <ol className="entries">
      {list.slice(0, maxEntries).map((one, index) => (
        <li key={index}>
          <Fields item={one} />
        </li>
      ))}
      {list.length > maxEntries && <li className="muted">{list.length - maxEntries} more: see JSON</li>}
    </ol>
  )
}
