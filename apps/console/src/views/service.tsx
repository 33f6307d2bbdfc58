import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { operationOf, type ServiceCatalogue, serviceQuery } from '../data/catalogue.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { Tabs } from '../parts/tabs.tsx'

const PanelView = lazy(() => import('../panels/panel.tsx'))
const noItem = {}

/** A service: links to its resources, and a form for every operation. */
export function ServicePage() {
  const { service } = useParams({ from: '/$service' })
  const { act } = useSearch({ from: '/$service' })
  const navigate = useNavigate({ from: '/$service' })
  const { data, error } = useQuery(serviceQuery(service))
  const [filter, setFilter] = useState('')
  if (error) return <p className="problem">{error.message}</p>
  if (!data) return <p className="muted">…</p>
  const found = operationOf(data, act)
  const operations = data.apis
    .flatMap((api) => api.operations)
    .filter(({ id, summary, path }) => `${id} ${summary} ${path}`.toLowerCase().includes(filter.toLowerCase()))
  return (
    <>
      <p className="crumbs">{data.group}</p>
      <h1>{data.title}</h1>
      <p className="links">
        {data.views
          .filter(({ parent }) => !parent)
          .map(({ id, title }) => (
            <Link key={id} to="/$service/$view" params={{ service, view: id }}>
              {title}
            </Link>
          ))}
        {data.apis.map(({ name }) => (
          <Documented key={name ?? ''} service={service} api={name} />
        ))}
      </p>
      <Panels service={data} />
      <div className="toolbar">
        <h2>Operations</h2>
        <input
          type="search"
          aria-label="Filter operations"
          placeholder="Filter"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      </div>
      <ul className="operations">
        {operations.map(({ id, method, path, summary }) => (
          <li key={id}>
            <Link to="/$service" params={{ service }} search={{ act: id }}>
              {summary}
            </Link>
            <code className="muted">
              {method} {path}
            </code>
          </li>
        ))}
      </ul>
      {found && (
        <Sheet title={found.operation.summary} onClose={() => void navigate({ search: {} })}>
          <Call key={act} {...{ found, service, params: {}, suggested: data.scope, submit: 'Send' }} />
        </Sheet>
      )}
    </>
  )
}

/** What the service does without a resource. */
function Panels({ service }: { readonly service: ServiceCatalogue }) {
  const search = useSearch({ from: '/$service' })
  const navigate = useNavigate({ from: '/$service' })
  const { panels } = service
  const panel = panels.find(({ title }) => title === search.tab) ?? panels[0]
  if (!panel) return null
  const names = panels.map(({ title }) => ({ id: title, title }))
  return (
    <div className="panel">
      <Tabs
        label="What it does"
        tabs={names}
        open={panel.title}
        onOpen={(tab) => void navigate({ search: { tab }, replace: true })}
      >
        <Suspense fallback={<p className="muted">…</p>}>
          <PanelView key={panel.title} {...{ service, panel }} scope={noItem} itemKey={noItem} item={noItem} />
        </Suspense>
      </Tabs>
    </div>
  )
}

/** Links to the guide and reference of an API. Only the first API of a service has a guide; the platform has none. */
function Documented({ service, api }: { readonly service: string; readonly api: string | undefined }) {
  return (
    <>
      {!api && service !== 'platform' && <a href={`/docs/guides/${service}.html`}>Guide</a>}
      <a href={`/docs/reference/${service}${api ? `-${api}` : ''}.html`}>Reference{api && ` (${api})`}</a>
    </>
  )
}
