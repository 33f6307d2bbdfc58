import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

/** Members of an object or list as nested sections, of which the first levels are open. */
export default function Tree({ reader }: { readonly reader: Reader }) {
  return (
    <div className="tree">
      <Branch value={reader.value('root')} depth={0} />
    </div>
  )
}

const maxOpen = 2
const maxMembers = 500

function Branch({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  const members = Object.entries(Object(value))
  if (members.length === 0) return <p className="muted">There is nothing in it.</p>
  return (
    <ul>
      {members.slice(0, maxMembers).map(([name, member]) => (
        <li key={name}>
          {typeof member === 'object' && member !== null ? (
            <details open={depth < maxOpen}>
              <summary>
                {name} <span className="muted">{Object.keys(member).length}</span>
              </summary>
              <Branch value={member} depth={depth + 1} />
            </details>
          ) : (
            <>
              {!Array.isArray(value) && <span className="muted">{name} </span>}
              <code>{textOf(member)}</code>
            </>
          )}
        </li>
      ))}
      {members.length > maxMembers && <li className="muted">{members.length - maxMembers} more are not shown.</li>}
    </ul>
  )
}
