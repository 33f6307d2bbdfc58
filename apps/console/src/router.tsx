import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { Frame } from './parts/frame.tsx'
import { DevelopmentPage } from './views/development.tsx'
import { Home } from './views/home.tsx'
import { JobsPage } from './views/jobs.tsx'
import { RequestsPage, type RequestsSearch } from './views/requests.tsx'
import { ResourcePage } from './views/resource.tsx'
import { ServicePage } from './views/service.tsx'

type Strings = Readonly<Record<string, string>>

/** State of a list page, kept in the URL. */
export interface ListSearch {
  /** Values of the list's path parameters. */
  readonly scope?: Strings
  readonly filter?: string
  readonly sort?: string
  /** Path parameters of the item that is open. */
  readonly item?: Strings
  readonly tab?: string
  /** The operation whose form is open. */
  readonly act?: string
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function strings(value: unknown): Strings | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
}

function listSearch(raw: Record<string, unknown>): ListSearch {
  const found = {
    ...{ scope: strings(raw.scope), item: strings(raw.item), filter: text(raw.filter) },
    ...{ sort: text(raw.sort), tab: text(raw.tab), act: text(raw.act) },
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

const root = createRootRoute({
  component: Frame,
  errorComponent: ({ error }) => <p className="problem">{String(error)}</p>,
  notFoundComponent: () => <p>Page not found.</p>,
})
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const requests = createRoute({
  getParentRoute: () => root,
  path: '/-/requests',
  component: RequestsPage,
  validateSearch: (raw: Record<string, unknown>): RequestsSearch => {
    const chosen = { filter: text(raw.filter), show: text(raw.show), open: text(raw.open) }
    return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
  },
})
const jobs = createRoute({ getParentRoute: () => root, path: '/-/jobs', component: JobsPage })
const development = createRoute({ getParentRoute: () => root, path: '/-/development', component: DevelopmentPage })
const service = createRoute({
  getParentRoute: () => root,
  path: '/$service',
  component: ServicePage,
  validateSearch: (raw: Record<string, unknown>): { act?: string; tab?: string } => {
    const [act, tab] = [text(raw.act), text(raw.tab)]
    return { ...(act !== undefined && { act }), ...(tab !== undefined && { tab }) }
  },
})
const resource = createRoute({
  getParentRoute: () => root,
  path: '/$service/$view',
  component: ResourcePage,
  validateSearch: listSearch,
})

export const router = createRouter({
  routeTree: root.addChildren([home, requests, jobs, development, service, resource]),
  basepath: '/console',
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
