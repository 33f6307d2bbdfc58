import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'
import { State } from '../parts/values.tsx'

const minErrorStatus = 400

/** A response of HTTP: status, headers and body. */
export default function Response({ reader }: { readonly reader: Reader }) {
  const status = Number(reader.value('status'))
  const ms = reader.value('ms')
  return (
    <>
      <p className="reply">
        <strong>{status}</strong>
        <State value={status < minErrorStatus ? 'ok' : 'failed'} />
        {typeof ms === 'number' && <span className="muted">{ms.toFixed(1)} ms</span>}
      </p>
      <pre className="cut" role="region" tabIndex={0} aria-label="Body">
        {textOf(reader.value('body'))}
      </pre>
      <details>
        <summary>Headers</summary>
        <dl className="fields">
          {Object.entries(Object(reader.value('headers'))).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{textOf(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
