import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { catalogueQuery, type ServiceCatalogue, serviceQuery, type View } from '../data/catalogue.ts'
import { itemsIn, keyOf, sameKey } from '../data/values.ts'
import { useShortcuts } from '../parts/keyboard.tsx'
import { Create } from './create.tsx'
import { Inspector } from './inspector.tsx'
import { listQuery, scopeNames } from './list.ts'
import { ResourceTable } from './table.tsx'

const route = '/$service/$view'

/** A list of resources, with an inspector for the open one. */
export function ResourcePage() {
  const { service, view: id } = useParams({ from: route })
  const { data, error } = useQuery(serviceQuery(service))
  if (error) return <p className="problem">{error.message}</p>
  if (!data) return <p className="muted">…</p>
  const view = data.views.find((one) => one.id === id)
  if (!view) return <p className="problem">There is no list '{id}', or this key may not read it.</p>
  return <Resources key={id} service={data} view={view} />
}

/** Parameters of the list, from the URL or the service's defaults. */
function useScope({ scope, apis }: ServiceCatalogue, view: View) {
  const search = useSearch({ from: route })
  const names = scopeNames(apis.flatMap((api) => api.operations).find(({ id }) => id === view.id))
  const values = names.map((name) => [name, search.scope?.[name] ?? scope[name] ?? ''] as const)
  return { names, values: Object.fromEntries(values) }
}

function Resources({ service, view }: { readonly service: ServiceCatalogue; readonly view: View }) {
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: route })
  const { data: catalogue } = useQuery(catalogueQuery)
  const { names, values: scope } = useScope(service, view)
  const list = useInfiniteQuery(listQuery(service, view, scope, catalogue?.tenant ?? ''))
  const items = list.data?.pages.flatMap(({ body }) => itemsIn(body, view)) ?? []
  const parent = service.views.find(({ id }) => id === view.parent?.view)
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true })
  useShortcuts({ n: () => view.create && change({ act: 'create' }) })
  const open = search.item
  const opened = open && items.find((item) => sameKey(keyOf(view, item), open))
  return (
    <div className={open ? 'split' : ''}>
      <section className="list" aria-label={view.title}>
        <p className="crumbs">
          <Link to="/$service" params={{ service: service.name }}>
            {service.title}
          </Link>
          {parent && (
            <Link to={route} params={{ service: service.name, view: parent.id }} search={{ scope }}>
              {parent.title}
            </Link>
          )}
        </p>
        <div className="toolbar">
          <h1>{view.title}</h1>
          <input
            type="search"
            aria-label="Filter the rows shown"
            placeholder="Filter"
            value={search.filter ?? ''}
            onChange={({ target }) => change({ filter: target.value })}
          />
          {view.create && (
            <button type="button" onClick={() => change({ act: 'create' })}>
              New
            </button>
          )}
        </div>
        {names.length > 0 && <Scope names={names} values={scope} onChange={(next) => change({ scope: next })} />}
        {list.error && (
          <div className="problem" role="alert">
            {list.error.message}
          </div>
        )}
        <ResourceTable
          {...{ service, view, items, scope, search }}
          isLoading={list.isLoading}
          onSort={(sort) => change({ sort })}
        />
        {list.hasNextPage && (
          <div className="buttons">
            <button type="button" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {list.isFetchingNextPage ? 'Loading' : 'Next page'}
            </button>
          </div>
        )}
      </section>
      {open && <Inspector key={JSON.stringify(open)} {...{ service, view, scope, listed: opened }} itemKey={open} />}
      {search.act === 'create' && view.create && <Create {...{ service, view, scope }} />}
    </div>
  )
}

interface ScopeProps {
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (values: Readonly<Record<string, string>>) => void
}

/** Inputs for the parent of the list, such as a project, a subscription or another resource. */
function Scope({ names, values, onChange }: ScopeProps) {
  return (
    <div className="scope">
      {names.map((name) => (
        <label key={name}>
          <span className="muted">{name}</span>
          <input
            defaultValue={values[name]}
            key={values[name]}
            spellCheck={false}
            onBlur={({ target }) => target.value !== values[name] && onChange({ ...values, [name]: target.value })}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          />
        </label>
      ))}
    </div>
  )
}
