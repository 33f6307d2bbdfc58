import { infiniteQueryOptions } from '@tanstack/react-query'
import { type Operation, operationOf, type Parameter, type ServiceCatalogue, type View } from '../data/catalogue.ts'
import { type Answer, follow, type Parts, type Sender, send } from '../data/request.ts'
import { at, type Item, isBusy, itemsIn, keyOf, textOf } from '../data/values.ts'
import type { Cause } from '../data/watch.ts'

type Strings = Readonly<Record<string, string>>

export const paramsOf = (path = '') => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)

/** Names of the parameters that a list needs: path parameters and required query parameters. */
export const scopeNames = (operation: Operation | undefined) => [
  ...paramsOf(operation?.path),
  ...((operation?.parameters ?? []) as Parameter[]).flatMap(({ name, in: where, required, schema }) =>
    where === 'query' && required && schema.default === undefined ? [name] : [],
  ),
]

const pollMs = 2_000

type Cursor = string | number | undefined

export const listKey = ({ name }: ServiceCatalogue, { id }: View, params: Strings) =>
  ['list', name, id, params] as const

/** A query for a list, by the operation's own paging. */
export function listQuery(catalogue: ServiceCatalogue, view: View, params: Strings, tenant: string) {
  const sender: Sender = { service: catalogue.name, tenant }
  const found = operationOf(catalogue, view.id)
  const missing = scopeNames(found?.operation).filter((name) => !params[name])
  return infiniteQueryOptions({
    queryKey: listKey(catalogue, view, params),
    enabled: missing.length === 0 && found !== undefined && tenant !== '',
    initialPageParam: undefined as Cursor,
    staleTime: 0, // a list that is reopened shows what other clients have created since
    async queryFn({ pageParam }): Promise<Answer> {
      if (!found) throw new Error(`There is no operation ${view.id}.`)
      if (pageParam !== undefined && view.next?.by === 'link') return follow(found, sender, String(pageParam))
      return send(found, sender, partsOf(found.operation, view, params, pageParam))
    },
    getNextPageParam: (last, pages) => nextOf(view, last, pages),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ body }) => itemsIn(body, view).some((item) => isBusy(view, item))) ? pollMs : false,
  })
}

function partsOf(operation: Operation, { next }: View, params: Strings, cursor: Cursor): Parts {
  const asked = scopeNames(operation).filter((name) => !operation.path.includes(`{${name}}`))
  const page = cursor === undefined || next?.param === undefined ? {} : { [next.param]: cursor }
  const query = { ...Object.fromEntries(asked.map((name) => [name, params[name]])), ...page }
  return operation.method === 'GET' ? { params, query } : { params, body: {}, query }
}

function nextOf(view: View, last: Answer, pages: readonly Answer[]): Cursor {
  const { next } = view
  const items = itemsIn(last.body, view)
  if (!next || items.length === 0) return undefined
  if (next.field) return (at(last.body, next.field) as Cursor | null) ?? undefined
  const first = itemsIn(pages[0]?.body, view).length
  if (items.length < first || first < 10) return undefined
  if (next.by === 'page') return pages.length + 1
  if (next.by === 'skip') return pages.reduce((sum, { body }) => sum + itemsIn(body, view).length, 0)
  return next.by === 'after' ? Object.values(keyOf(view, items.at(-1) as Item))[0] : undefined
}

/** Request for one item: its key in path parameters and required query parameters, or in the body if the path has none. */
export function itemParts(operation: Operation, params: Strings, key: Strings): Parts {
  const { path, method } = operation
  const inPath = paramsOf(path)
  const all = { ...params, ...key }
  const outside = Object.entries(key).filter(([name]) => !inPath.includes(name))
  const query = scopeNames(operation).filter((name) => !inPath.includes(name) && all[name])
  return {
    params: Object.fromEntries(inPath.map((name) => [name, all[name] ?? ''])),
    query: Object.fromEntries(query.map((name) => [name, all[name]])),
    ...(method !== 'GET' && method !== 'DELETE' && outside.length > 0 && { body: Object.fromEntries(outside) }),
  }
}

/** Path parameters of a child list of an item. */
export function childScope(child: View, scope: Strings, key: Strings, item: Item): Strings {
  const { params = {}, fields = {} } = child.parent ?? {}
  const all = { ...scope, ...key }
  const own = Object.entries(params).map(([name, theirs]) => [name, all[theirs] ?? ''])
  const taken = Object.entries(fields).map(([name, field]) => [name, textOf(at(item, field)).split('/').at(-1) ?? ''])
  return { ...scope, ...Object.fromEntries([...own, ...taken]) }
}

const filled = (path: string, params: Strings) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/** Finds the changes of an item by its path; undefined if its operations have no path of its own. */
export function causeOf(service: ServiceCatalogue, view: View, scope: Strings, key: Strings): Cause | undefined {
  const own = paramsOf(view.path)
  const list = operationOf(service, view.id)?.operation.path ?? ''
  if (view.path === undefined || own.length <= paramsOf(list).length) return undefined
  const [id = ''] = Object.values(key).slice(-1)
  const at = `/${service.name}`
  const creation = operationOf(service, view.create)?.operation.path ?? list
  return { path: at + filled(view.path, { ...scope, ...key }), created: `${at + filled(creation, scope)}#${id}` }
}
