import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { catalogueQuery, operationOf, type ServiceCatalogue, type View } from '../data/catalogue.ts'
import { Problem, send } from '../data/request.ts'
import { at, type Item, isBusy, itemIn, nameOf } from '../data/values.ts'
import { Copyable, Snippets } from '../parts/snippets.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { State } from '../parts/values.tsx'
import { Act } from './act.tsx'
import { Fields } from './fields.tsx'
import { History } from './history.tsx'
import { causeOf, childScope, itemParts } from './list.ts'

const PanelView = lazy(() => import('../panels/panel.tsx'))

type Strings = Readonly<Record<string, string>>

interface InspectorProps {
  readonly service: ServiceCatalogue
  readonly view: View
  readonly scope: Strings
  readonly itemKey: Strings
  /** The item as in the list. */
  readonly listed: Item | undefined
}

const route = '/$service/$view'

/** One resource: its fields, JSON, code, child lists and actions. */
export function Inspector({ service, view, scope, itemKey, listed }: InspectorProps) {
  const search = useSearch({ from: route })
  const navigate = useNavigate({ from: route })
  const close = () => void navigate({ search: ({ item: _, tab: __, act: ___, ...old }) => old, replace: true })
  const { data: catalogue } = useQuery(catalogueQuery)
  const found = operationOf(service, view.get)
  const parts = found && itemParts(found.operation, scope, itemKey)
  const query = useQuery({
    queryKey: ['item', service.name, view.id, scope, itemKey],
    enabled: found !== undefined && catalogue !== undefined,
    queryFn: async () =>
      found ? send(found, { service: service.name, tenant: catalogue?.tenant ?? '' }, parts ?? {}) : undefined,
    refetchInterval: ({ state: { data } }) => (data && isBusy(view, itemIn(data.body, view)) ? 2_000 : false),
  })
  const item: Item = query.data ? itemIn(query.data.body, view) : (listed ?? {})
  const isGone = query.error instanceof Problem && query.error.status === 404
  const state = view.state && at(item, view.state)
  const children = service.views.filter(({ parent }) => parent?.view === view.id)
  const cause = causeOf(service, view, scope, itemKey)
  const tabs = [
    { id: 'fields', title: 'Fields' },
    ...view.panels.map(({ title }) => ({ id: title, title })),
    ...(cause ? [{ id: 'timeline', title: 'Timeline' }] : []),
    { id: 'JSON', title: 'JSON' },
    ...(found ? [{ id: 'code', title: 'Code' }] : []),
  ]
  const tab = tabs.find(({ id }) => id === search.tab)?.id ?? 'fields' // an address may name one that is gone
  const panel = view.panels.find(({ title }) => title === tab)
  const name = nameOf(view, item) || Object.values(itemKey).at(-1) || view.title
  const header = (
    <header>
      <h2>{name}</h2>
      <button type="button" className="quiet" aria-label="Close" onClick={close}>
        ×
      </button>
    </header>
  )
  if (isGone && !listed)
    return (
      <aside className="inspector" aria-label={name}>
        {header}
        <p className="problem">This resource no longer exists.</p>
      </aside>
    )
  return (
    <aside className="inspector" aria-label={name}>
      {header}
      {typeof state === 'string' && (
        <p>
          <State value={state} />
          {isBusy(view, item) && <progress aria-label={`${state}: in progress`} />}
        </p>
      )}
      {query.error && !isGone && <p className="problem">{query.error.message}</p>}
      <Act {...{ service, view, scope, itemKey, item, name }} onGone={close} />
      {children.length > 0 && (
        <p className="links">
          {children.map((child) => (
            <Link
              key={child.id}
              to={route}
              params={{ service: service.name, view: child.id }}
              search={{ scope: childScope(child, scope, itemKey, item) }}
            >
              {child.title}
            </Link>
          ))}
        </p>
      )}
      <Tabs
        label="Representations"
        tabs={tabs}
        open={tab}
        onOpen={(next) => void navigate({ search: (old) => ({ ...old, tab: next }), replace: true })}
      >
        {panel && (query.data || !found) && (
          <Suspense fallback={<p className="muted">…</p>}>
            <PanelView key={tab} {...{ service, panel, scope, itemKey, item }} />
          </Suspense>
        )}
        {tab === 'fields' && <Fields item={item} />}
        {tab === 'timeline' && cause && <History cause={cause} />}
        {tab === 'JSON' && <Copyable text={JSON.stringify(query.data?.body ?? item, null, 2)} label="JSON" />}
        {tab === 'code' && found && <Snippets found={found} service={service.name} parts={parts ?? {}} />}
      </Tabs>
    </aside>
  )
}
