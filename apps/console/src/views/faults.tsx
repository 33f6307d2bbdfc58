import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Fault, faultsQuery, type Offered, platformName, removeFault } from '../data/development.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'

/** A fault that is easy to see. */
const example = { target: '*', kind: 'latency', delayMs: 2_000 }

/** Active faults of the node, and ways to add and remove them. */
export function FaultsPanel({ addFault, removeFault: remove }: Offered) {
  const queries = useQueryClient()
  const { data: faults, error } = useQuery(faultsQuery)
  const [isAdding, setAdding] = useState(false)
  const removing = useMutation({ mutationFn: (id: string) => removeFault(queries, id) })
  const problem = error ?? removing.error
  return (
    <section className="panel" aria-labelledby="faults">
      <h2 id="faults">Faults</h2>
      {faults?.length === 0 && (
        <p className="muted">
          Requests that are slow, fail or lose their connection, and jobs that lose their worker, to see what programs
          make of it. None is active.
        </p>
      )}
      {faults && faults.length > 0 && (
        <ul className="operations">
          {faults.map((fault) => (
            <li key={fault.id}>
              <span>
                <strong>{fault.target}</strong>: {wordsOf(fault)}{' '}
                <span className="muted">
                  {fault.hit} of {fault.seen} {fault.on}
                </span>
              </span>
              {remove && (
                <button
                  type="button"
                  className="plain"
                  aria-label={`Remove ${fault.id}: ${fault.kind} of ${fault.target}`}
                  disabled={removing.isPending}
                  onClick={() => removing.mutate(fault.id)}
                >
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
      {addFault && (
        <div className="buttons">
          <button type="button" onClick={() => setAdding(true)}>
            Add a fault
          </button>
        </div>
      )}
      {isAdding && addFault && (
        <Sheet title="Add a fault" about={addFault.operation.summary} onClose={() => setAdding(false)}>
          <Call
            {...{ found: addFault, service: platformName, submit: 'Add', params: {}, body: example }}
            onDone={() => {
              setAdding(false)
              void queries.invalidateQueries({ queryKey: faultsQuery.queryKey })
            }}
          />
        </Sheet>
      )}
    </section>
  )
}

function wordsOf({ kind, delayMs, code, share, times, retryAfterSeconds }: Fault): string {
  const words = [
    kind,
    code,
    delayMs !== undefined && `${delayMs} ms`,
    retryAfterSeconds !== undefined && `Retry-After ${retryAfterSeconds}`,
    share < 1 && `${Number((share * 100).toFixed(2))}%`,
    times !== undefined && `${times} times`,
  ]
  return words.filter(Boolean).join(', ')
}
