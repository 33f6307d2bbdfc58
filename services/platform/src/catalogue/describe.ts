import {
  openapi,
  type ResolvedPanel,
  referredSchemas,
  resolveServicePanels,
  resolveViews,
  type ViewGroup,
  viewedOperations,
} from '@icosa/contract'
import { type Caller, contractsOf, type Service } from '@icosa/kernel'

const defaultGroup: ViewGroup = 'Platform'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly unknown[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> }
  readonly security: readonly unknown[]
}

/** Everything that the console needs to know about a service, for a credential with all permissions. */
export function describeService({ name, title, apis, views }: Service) {
  const described = apis.map((api) => {
    const document = openapi({ name, title, contracts: contractsOf(api) })
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        ...(operation as Described),
      })),
    )
    const used = operations.map(({ parameters, requestBody }) => [parameters, requestBody])
    return {
      ...(api.name !== undefined && { name: api.name }),
      at: api.at ?? '',
      authentication: api.dialect.authentication,
      isOpen: (id: string) =>
        operations.some((operation) => operation.operationId === id && operation.security.length === 0),
      operations: operations.map(({ operationId: id, method, path, summary, parameters, requestBody }) => ({
        ...{ id, method, path, summary, parameters: [...parameters] },
        ...(requestBody && { body: bodyOf(requestBody) }),
      })),
      schemas: referredSchemas(used, document.components.schemas as Record<string, unknown>),
    }
  })
  const operations = apis.flatMap((api) => viewedOperations(contractsOf(api)))
  const { group = defaultGroup, scope = {} } = views ?? {}
  return {
    name,
    title,
    group,
    scope: { ...scope },
    apis: described,
    views: views ? resolveViews(views, operations) : [],
    panels: views ? resolveServicePanels(views, operations) : [],
  }
}

function bodyOf({ content }: NonNullable<Described['requestBody']>) {
  const [first] = Object.values(content)
  return { mediaTypes: Object.keys(content), schema: first?.schema ?? {} }
}

export type ServiceDescription = ReturnType<typeof describeService>

const acts = ['get', 'create', 'update', 'delete'] as const

/** Panels as far as their operations are allowed. */
function allowedPanels(panels: readonly ResolvedPanel[], allowed: ReadonlySet<string>): ResolvedPanel[] {
  const isAllowed = (call: ResolvedPanel['call']) => call === undefined || allowed.has(call.operation)
  return panels
    .filter(({ call, also }) => isAllowed(call) && isAllowed(also))
    .map(({ act, ...panel }) => ({ ...panel, ...(act && isAllowed(act) && { act }) }))
}

/** The part of a service that a caller may use; undefined if there is none. */
export function catalogueOf(full: ServiceDescription, { allows }: Pick<Caller, 'allows'>) {
  const { name, title, group, scope } = full
  const allowed = new Set(
    full.apis.flatMap(({ operations, isOpen }) =>
      operations.flatMap(({ id }) => (isOpen(id) || allows(`${name}:${id}`) ? [id] : [])),
    ),
  )
  if (allowed.size === 0) return undefined
  const apis = full.apis.map(({ isOpen, ...api }) => ({
    ...api,
    operations: api.operations.filter(({ id }) => allowed.has(id)),
  }))
  const views = full.views
    .filter(({ id }) => allowed.has(id))
    .map((view) => {
      const refused = acts.filter((act) => view[act] !== undefined && !allowed.has(view[act]))
      const entries = Object.entries(view).filter(([key]) => !refused.some((act) => act === key))
      return {
        ...(Object.fromEntries(entries) as typeof view),
        actions: view.actions.filter(({ id }) => allowed.has(id)),
        panels: allowedPanels(view.panels, allowed),
      }
    })
  return { name, title, group, scope, apis, views, panels: allowedPanels(full.panels, allowed) }
}
