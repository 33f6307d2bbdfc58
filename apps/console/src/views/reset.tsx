import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogueQuery, type Found } from '../data/catalogue.ts'
import { platformName, registeredQuery, resetState } from '../data/development.ts'
import { Sheet } from '../parts/dialog.tsx'
import { Snippets } from '../parts/snippets.tsx'

/** The value of the option "All services". */
const all = ''

/** Deletes this tenant's data in one service or in all. */
export function ResetPanel({ found }: { readonly found: Found }) {
  const { data: catalogue } = useQuery(catalogueQuery)
  const [service, setService] = useState(all)
  const [isAsking, setAsking] = useState(false)
  const [rows, setRows] = useState<number>()
  const services = catalogue?.services.filter(({ name }) => name !== platformName) ?? []
  return (
    <section className="panel" aria-labelledby="reset">
      <h2 id="reset">Reset</h2>
      <p className="muted">
        Deletes all data of tenant {catalogue?.tenant} in one service or in all services. Keys are kept.
      </p>
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault()
          setRows(undefined)
          setAsking(true)
        }}
      >
        <div className="field">
          <label htmlFor="service">Service</label>
          <select id="service" value={service} onChange={({ target }) => setService(target.value)}>
            <option value={all}>All services</option>
            {services.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="danger">
          Reset
        </button>
      </form>
      {rows !== undefined && (
        <p role="status">{rows === 1 ? '1 row was' : `${rows.toLocaleString('en')} rows were`} deleted.</p>
      )}
      {isAsking && catalogue && (
        <Confirmation
          {...{ found, service, tenant: catalogue.tenant }}
          title={services.find(({ name }) => name === service)?.title ?? 'all services'}
          onDone={(deleted) => {
            setRows(deleted)
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

interface ConfirmationProps {
  readonly found: Found
  readonly service: string
  readonly tenant: string
  readonly title: string
  readonly onDone: (rows: number) => void
  readonly onClose: () => void
}

function Confirmation({ found, service, tenant, title, onDone, onClose }: ConfirmationProps) {
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const name = service === all ? tenant : service
  const body = { ...(service !== all && { service }), tenant }
  const resetting = useMutation({ mutationFn: () => resetState(queries, body), onSuccess: onDone })
  return (
    <Sheet title={`Reset ${title}`} onClose={onClose}>
      <Losses service={service} tenant={tenant} />
      <form
        className="call"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed === name) resetting.mutate()
        }}
      >
        <div className="field">
          <label htmlFor="confirmation">
            Type <strong>{name}</strong> to delete all of this
          </label>
          <input id="confirmation" autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
        </div>
        {resetting.error && (
          <div className="problem" role="alert">
            {resetting.error.message}
          </div>
        )}
        <div className="buttons">
          <button type="submit" className="danger" disabled={typed !== name || resetting.isPending}>
            Reset
          </button>
        </div>
        <details>
          <summary>Show request</summary>
          <Snippets found={found} service={platformName} parts={{ body }} />
        </details>
      </form>
    </Sheet>
  )
}

const maxNames = 10

/** Summarizes the data to be deleted: kinds of resources, and names of registered ones. */
function Losses({ service, tenant }: { readonly service: string; readonly tenant: string }) {
  const { data: catalogue } = useQuery(catalogueQuery)
  const { data: registered } = useQuery(registeredQuery)
  const isChosen = (name: string) => name === service || (service === all && name !== platformName)
  const chosen = catalogue?.services.filter(({ name }) => isChosen(name)) ?? []
  const kinds = service === all ? chosen : chosen.flatMap(({ views }) => views)
  const names = registered?.resources.filter((resource) => isChosen(resource.service)).map(({ name }) => name) ?? []
  return (
    <div className="losses">
      <p>
        This deletes all data of tenant <strong>{tenant}</strong> here, including files, jobs, timers and operations. It
        cannot be undone.
      </p>
      <p>{[...new Set(kinds.map(({ title }) => title))].join(', ')}</p>
      {names.length > 0 && (
        <p>
          {names.length}
          {registered?.hasMore && ' or more'} named {names.length === 1 ? 'resource' : 'resources'}:{' '}
          {names.slice(0, maxNames).join(', ')}
          {names.length > maxNames && ' …'}
        </p>
      )}
    </div>
  )
}
