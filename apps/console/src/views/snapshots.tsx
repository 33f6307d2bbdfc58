import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import {
  changeSnapshots,
  compareSnapshots,
  type Offered,
  platformName,
  type SnapshotRequest,
  type Snapshots,
  snapshotsQuery,
} from '../data/development.ts'
import { Cells } from '../parts/cells.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { Snippets } from '../parts/snippets.tsx'
import { Time } from '../parts/values.tsx'

const megabyte = 1024 ** 2

/** Saves the whole state, goes back to it, and compares two. */
export function SnapshotsPanel(offered: Offered) {
  const { saveSnapshot, restoreSnapshot, deleteSnapshot, compareSnapshots: compare } = offered
  const queries = useQueryClient()
  const { data, error } = useQuery(snapshotsQuery)
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<SnapshotRequest>()
  const changing = useMutation({ mutationFn: (request: SnapshotRequest) => changeSnapshots(queries, request) })
  const isRunning = data?.action?.state === 'running'
  useRestored(data)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate({ kind: 'save', snapshot: name })
  }
  const problem = (data ? undefined : error) ?? changing.error
  return (
    <section className="panel" aria-labelledby="snapshots">
      <h2 id="snapshots">Snapshots</h2>
      <p className="muted">The whole state of this node: rows, blobs, databases and clock, of all tenants.</p>
      {data && data.snapshots.length > 0 && (
        <ul className="operations">
          {data.snapshots.map(({ name: snapshot, savedAt, bytes }) => (
            <li key={snapshot}>
              <span>
                <strong>{snapshot}</strong> <Time value={savedAt} />{' '}
                <span className="muted">{Math.ceil(bytes / megabyte)} MB</span>
              </span>
              <span className="buttons">
                {restoreSnapshot && (
                  <button
                    type="button"
                    className="plain"
                    aria-label={`Go back to ${snapshot}`}
                    disabled={isRunning}
                    onClick={() => setAsked({ kind: 'restore', snapshot })}
                  >
                    Go back
                  </button>
                )}
                {deleteSnapshot && (
                  <button
                    type="button"
                    className="danger"
                    aria-label={`Delete ${snapshot}`}
                    disabled={isRunning}
                    onClick={() => setAsked({ kind: 'delete', snapshot })}
                  >
                    Delete
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data?.action && <Action {...data.action} />}
      {problem && (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
      {saveSnapshot && data && (
        <form className="inline" onSubmit={onSubmit}>
          <div className="field">
            <label htmlFor="snapshot">Name of a new snapshot</label>
            <input
              id="snapshot"
              required
              pattern="[a-zA-Z0-9][a-zA-Z0-9_.\-]{0,99}"
              title="Letters, digits, . _ and -"
              autoComplete="off"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </div>
          <button type="submit" className="plain" disabled={isRunning}>
            Save
          </button>
        </form>
      )}
      {compare && data && data.snapshots.length > 1 && <Comparison names={data.snapshots.map((one) => one.name)} />}
      {asked && (
        <Confirmation
          {...{ asked, offered }}
          onConfirm={() => {
            setAsked(undefined)
            changing.mutate(asked)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

/** Reads everything again after the node has gone back to a snapshot. */
function useRestored(data: Snapshots | undefined) {
  const queries = useQueryClient()
  const { kind, state } = data?.action ?? {}
  const [wasRunning, setRunning] = useState(false)
  const isRestoring = kind === 'restore' && state === 'running'
  useEffect(() => {
    if (isRestoring) setRunning(true)
    else if (wasRunning) {
      setRunning(false)
      void queries.invalidateQueries()
    }
  }, [isRestoring, wasRunning, queries])
}

const words = {
  save: { running: 'Saving', succeeded: 'Saved', failed: 'Could not save' },
  restore: { running: 'Going back to', succeeded: 'Went back to', failed: 'Could not go back to' },
} as const

function Action({ kind, snapshot, state, message }: NonNullable<Snapshots['action']>) {
  return (
    <p role="status" className={state === 'failed' ? 'wrong' : ''}>
      {words[kind][state]} {snapshot}
      {state === 'running' && '. The node stops for it for a few seconds.'} {message}
    </p>
  )
}

interface ConfirmationProps {
  readonly asked: SnapshotRequest
  readonly offered: Offered
  readonly onConfirm: () => void
  readonly onClose: () => void
}

function Confirmation({ asked: { kind, snapshot }, offered, onConfirm, onClose }: ConfirmationProps) {
  const found = kind === 'restore' ? offered.restoreSnapshot : offered.deleteSnapshot
  const verb = kind === 'restore' ? 'Go back to' : 'Delete'
  return (
    <Sheet title={`${verb} ${snapshot}`} onClose={onClose}>
      <p>
        {kind === 'restore'
          ? 'All changes since this snapshot are lost, of every tenant. Running requests and jobs are cut off.'
          : 'The snapshot is deleted. The state of the node stays.'}
      </p>
      <div className="buttons">
        <button type="button" className="danger" onClick={onConfirm}>
          {verb} {snapshot}
        </button>
      </div>
      {found && (
        <details>
          <summary>What this sends</summary>
          <Snippets found={found} service={platformName} parts={{ params: { snapshot } }} />
        </details>
      )}
    </Sheet>
  )
}

function Comparison({ names }: { readonly names: readonly string[] }) {
  const [from, setFrom] = useState(names.at(-2) ?? '')
  const [to, setTo] = useState(names.at(-1) ?? '')
  const comparing = useMutation({ mutationFn: () => compareSnapshots(from, to) })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    comparing.mutate()
  }
  const sides = [
    ['from', 'Compare', from, setFrom],
    ['with', 'With', to, setTo],
  ] as const
  return (
    <>
      <form className="inline" onSubmit={onSubmit}>
        {sides.map(([id, label, value, set]) => (
          <div key={id} className="field">
            <label htmlFor={id}>{label}</label>
            <select id={id} value={value} onChange={({ target }) => set(target.value)}>
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </div>
        ))}
        <button type="submit" className="plain" disabled={comparing.isPending}>
          {comparing.isPending ? 'Comparing' : 'Show changes'}
        </button>
      </form>
      {comparing.error && (
        <p className="problem" role="alert">
          {comparing.error.message}
        </p>
      )}
      {comparing.data?.length === 0 && <p role="status">They have the same rows.</p>}
      {comparing.data && comparing.data.length > 0 && (
        <Cells
          label="Rows that differ"
          columns={['Table', 'Added', 'Removed', 'Changed']}
          rows={comparing.data.map(({ table, added, removed, changed }) => [table, table, added, removed, changed])}
        />
      )}
    </>
  )
}
