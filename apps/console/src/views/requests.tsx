import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { catalogueQuery, serviceQuery } from '../data/catalogue.ts'
import { Problem, resend } from '../data/request.ts'
import { isFailure, isOwn, useRequests, type WatchedRequest } from '../data/watch.ts'
import { Copyable } from '../parts/snippets.tsx'
import { State, Time } from '../parts/values.tsx'
import { History } from './history.tsx'

export interface RequestsSearch {
  readonly filter?: string
  /** `errors` or `all`; by default, all but the reads of the platform. */
  readonly show?: string
  /** The request that is open, by ID. */
  readonly open?: string
}

const route = '/-/requests'

function matches(request: WatchedRequest, { filter = '', show }: RequestsSearch): boolean {
  const text = `${request.method} ${request.path} ${request.operation} ${request.status}`.toLowerCase()
  const isShown = show === 'errors' ? isFailure(request) : show === 'all' || !isOwn(request)
  return (
    isShown &&
    filter
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  )
}

/** Live requests of the tenant. */
export function RequestsPage() {
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: route })
  const [isLive, setLive] = useState(true)
  const [{ requests, skipped, problem }, clear] = useRequests(isLive)
  const rows = requests.filter((request) => matches(request, search))
  const open = requests.find(({ id }) => id === search.open)
  const change = (part: RequestsSearch) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true })
  return (
    <>
      <div className="toolbar">
        <h1>Requests</h1>
        <State value={isLive ? (problem ? 'reconnecting' : 'live') : 'paused'} />
        <button type="button" className="plain" onClick={() => setLive(!isLive)}>
          {isLive ? 'Pause' : 'Resume'}
        </button>
        <button type="button" className="plain" onClick={clear}>
          Clear
        </button>
        <select
          aria-label="Requests to show"
          value={search.show ?? ''}
          onChange={({ target }) => change({ show: target.value })}
        >
          <option value="">hide platform reads</option>
          <option value="errors">errors only</option>
          <option value="all">all</option>
        </select>
        <input
          type="search"
          aria-label="Filter requests"
          placeholder="Filter by path, operation or status"
          value={search.filter ?? ''}
          onChange={({ target }) => change({ filter: target.value })}
        />
      </div>
      {problem && <p className="problem">{problem}</p>}
      {skipped > 0 && <p className="muted">{skipped} requests arrived too fast to be shown.</p>}
      <div className={open ? 'split' : ''}>
        <div className="list">
          {rows.length === 0 ? <Empty hasRequests={requests.length > 0} /> : <Rows rows={rows} search={search} />}
        </div>
        {open && <Exchange request={open} onClose={() => change({ open: '' })} />}
      </div>
    </>
  )
}

function Empty({ hasRequests }: { readonly hasRequests: boolean }) {
  return (
    <div className="empty">
      <p>{hasRequests ? 'No request matches the filter.' : 'Requests appear here as soon as they are answered.'}</p>
    </div>
  )
}

function Rows({ rows, search }: { readonly rows: readonly WatchedRequest[]; readonly search: RequestsSearch }) {
  return (
    <div className="scroll requests">
      <table>
        <thead>
          <tr>
            {['Request', 'Operation', 'Status', 'ms', 'Time'].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((request) => (
            <tr key={request.id} className={search.open === request.id ? 'open' : ''}>
              <td data-label="Request">
                <Link className="row" to={route} search={{ ...search, open: request.id }}>
                  <code>
                    {request.method} {request.path}
                  </code>
                </Link>
              </td>
              <td data-label="Operation">{request.operation}</td>
              <td data-label="Status">
                <Status request={request} />
              </td>
              <td data-label="ms" className="number">
                {request.ms.toFixed(1)}
              </td>
              <td data-label="Time">
                <Time value={request.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const Status = ({ request }: { readonly request: WatchedRequest }) => (
  <span className="number">
    <State value={isFailure(request) ? 'failed' : 'ok'} /> {request.status}
  </span>
)

const pretty = (body: string) => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const addressOf = ({ path, query }: WatchedRequest) => {
  const search = new URLSearchParams(query).toString()
  return `${path}${search && `?${search}`}`
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const asCurl = (request: WatchedRequest) =>
  [
    `curl -X ${request.method} ${quoted(location.origin + addressOf(request))}`,
    ...(request.request.body === undefined
      ? []
      : [
          `-H 'content-type: ${request.request.headers['content-type'] ?? 'application/json'}'`,
          `-d ${quoted(request.request.body)}`,
        ]),
  ].join(' \\\n  ')

/** A request with its response, and the trace that it started. */
function Exchange({ request, onClose }: { readonly request: WatchedRequest; readonly onClose: () => void }) {
  const { id, method, service, operation, ms } = request
  return (
    <aside className="inspector" aria-label={`${method} ${request.path}`}>
      <header>
        <h2>{operation}</h2>
        <button type="button" className="quiet" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <p className="facts">
        <Status request={request} />
        <span className="number">{ms.toFixed(1)} ms</span>
        <Link to="/$service" params={{ service }}>
          {service}
        </Link>
      </p>
      <Replay request={request} />
      <h3>Trace</h3>
      <History cause={{ request: id }} />
      <h3>Request</h3>
      <Copyable text={asCurl(request)} label="Request as curl, without its credential" />
      {request.request.truncated && <p className="note">Truncated. The body has {request.request.bytes} bytes.</p>}
      <h3>Response</h3>
      {request.response.body === undefined ? (
        <p className="muted">{request.response.bytes} bytes of binary data.</p>
      ) : (
        <Copyable text={pretty(request.response.body)} label="Response body" />
      )}
      {request.response.truncated && <p className="note">Truncated. The body has {request.response.bytes} bytes.</p>}
      <p className="note">Request {id}. Secrets are masked.</p>
    </aside>
  )
}

/** Sends the request again, with the console's credential. */
function Replay({ request }: { readonly request: WatchedRequest }) {
  const { data: service } = useQuery(serviceQuery(request.service))
  const { data: catalogue } = useQuery(catalogueQuery)
  const [outcome, setOutcome] = useState('')
  const api = service?.apis.find(({ operations }) => operations.some(({ id }) => id === request.operation))
  const { body, truncated, bytes } = request.request
  const isWhole = !truncated && (bytes === 0 || body !== undefined) && !body?.includes('***')
  if (!api || !catalogue || !isWhole) return null
  const again = async () => {
    try {
      const { status } = await resend(api, catalogue.tenant, { ...request, address: addressOf(request), body })
      setOutcome(`returned ${status}`)
    } catch (error) {
      setOutcome(error instanceof Problem ? `failed with ${error.status}: ${error.message}` : (error as Error).message)
    }
  }
  return (
    <p className="buttons">
      <button type="button" className="plain" onClick={() => void again()}>
        Send again
      </button>
      <span role="status">{outcome}</span>
    </p>
  )
}
