import { type Contract, type Operation, operationId } from '../operation.ts'
import { paramNames } from '../path.ts'
import {
  actionLabelOf,
  columnOf,
  defaultColumns,
  type Field,
  fieldsOf,
  isList,
  itemOf,
  last,
  membersOf,
  nameField,
  type Shape,
  shapeAt,
  shapeOf,
  stateField,
} from './fields.ts'
import { resolvePanels } from './panels.ts'
import type { NextPage, ResolvedView, View, Views } from './view.ts'

/** An operation of any API of a service. */
export interface ViewedOperation {
  readonly id: string
  readonly operation: Operation
}

export const viewedOperations = (contracts: Readonly<Record<string, Contract>>): ViewedOperation[] =>
  Object.entries(contracts).flatMap(([resource, contract]) =>
    Object.entries(contract).map(([name, operation]) => ({ id: operationId(operation, resource, name), operation })),
  )

/** Member of a list's reply that contains its items: '' if the reply is a list itself; undefined if there is no list of objects. */
export function itemsField({ replies }: Operation): string | undefined {
  const reply = shapeOf(replies[200])
  if (isList(reply)) return membersOf(itemOf(reply)).length > 0 ? '' : undefined
  const lists = membersOf(reply).filter(([, shape]) => isList(shape) && membersOf(itemOf(shape)).length > 0)
  return lists.length === 1 ? lists[0]?.[0] : undefined
}

/** Resolves the views of a service. Throws at the first that names a missing operation or field. */
export function resolveViews(views: Views, operations: readonly ViewedOperation[]): ResolvedView[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation.operation]))
  const all = Object.entries(views.resources).map(([id, view]) => resolveView(id, view, views, operations, byId))
  const placed = all.map((view) => ({ ...view, ...parentOf(view, all, views.resources[view.id], byId) }))
  checkTitles(placed)
  return placed
}

/** Lists in the same place are told apart by their titles. */
function checkTitles(views: readonly ResolvedView[]) {
  const places = Map.groupBy(views, ({ parent, group, title }) => `${title} in ${parent?.view ?? group}`)
  for (const [place, [first, second]] of places)
    if (first && second) throw new Error(`The views ${first.id} and ${second.id} have the same title: ${place}.`)
}

/** Resolves the panels of a service itself. */
export function resolveServicePanels({ panels = [] }: Views, operations: readonly ViewedOperation[]) {
  const byId = new Map(operations.map((one) => [one.id, one.operation]))
  return resolvePanels(panels, { operation: (id, by) => required(byId, id, by), items: [] })
}

type ById = ReadonlyMap<string, Operation>

function required(byId: ById, id: string, by: string): Operation {
  const operation = byId.get(id)
  if (!operation) throw new Error(`The view ${by} names the operation '${id}', which does not exist.`)
  return operation
}

function resolveView(id: string, view: View, views: Views, operations: readonly ViewedOperation[], byId: ById) {
  const list = required(byId, id, id)
  const items = view.items ?? itemsField(list)
  if (items === undefined) throw new Error(`The view ${id} must name the member of the reply that contains its items.`)
  const [listed = '', ...wrapper] = items.split('.')
  const element = itemOf(shapeAt(shapeOf(list.replies[200]), listed))
  const item = asItem(shapeAt(element, wrapper.join('.')) ?? {})
  const fields = fieldsOf(item)
  const declared = (written: string) => existing(written.replace(/^\w+:/, ''), item, id)
  for (const path of [...(view.columns ?? []), ...(view.state ? [view.state] : [])]) declared(path)
  const acts = actsOf(id, list, view, operations, byId)
  const state = view.state === null ? undefined : (view.state ?? stateField(fields))
  const key = keyOf(acts.path, list, view, fields, id, item)
  const name = view.columns?.[0]?.replace(/^\w+:/, '') ?? nameField(fields) ?? Object.values(key)[0] ?? ''
  const columns = (view.columns ?? defaultColumns(fields, name, state)).map((path) => columnOf(path, item, state))
  return {
    ...{ id, title: view.title, about: view.about ?? list.summary, group: view.group ?? views.group },
    ...{ items, columns, name, key, ...acts },
    ...(view.type !== undefined && { type: view.type }),
    ...(state !== undefined && { state }),
    ...nextOf(list),
    ...(view.example !== undefined && { example: view.example }),
    ...(view.invitation !== undefined && { invitation: view.invitation }),
    panels: resolvePanels(view.panels ?? [], {
      operation: (operation, by) => required(byId, operation, by),
      items: [item, itemOfGet(acts, items, byId)],
    }),
  } satisfies ResolvedView
}

/** The item in the reply of `get`. */
function itemOfGet({ get, member }: Acts, items: string, byId: ById): Shape {
  const reply = shapeOf(get === undefined ? undefined : byId.get(get)?.replies[200])
  const [list = '', ...wrapper] = items.split('.')
  if (wrapper.length === 0) return shapeAt(reply, member ?? '') ?? {}
  return shapeAt(itemOf(shapeAt(reply, list)), wrapper.join('.')) ?? {}
}

/** An item that is a plain value has it as `value`. */
const asItem = (shape: Shape): Shape => (shape.type === 'string' ? { properties: { value: shape } } : shape)

function existing(path: string, item: Shape, id: string): string {
  if (shapeAt(item, path) === undefined) throw new Error(`Items of the view ${id} have no field '${path}'.`)
  return path
}

const erasures = new Map<string, string>()

/** A path without slashes at its ends, names of parameters, and case. */
function erased(path: string): string {
  let short = erasures.get(path)
  if (short === undefined) {
    short = path
      .replace(/\{[^}]*\}/g, '{}')
      .replace(/^\/|\/$/g, '')
      .toLowerCase()
    erasures.set(path, short)
  }
  return short
}

/** Whether `path` is that of an item of the list: the list's segments, perhaps with others between, and a parameter. */
function isItemPath(path: string, listPath: string): boolean {
  const listed = erased(listPath).split('/')
  if (!`/${erased(path)}`.endsWith(`/${listed.at(-1)}/{}`)) return false
  let rest = erased(path).split('/').slice(0, -1)
  return listed.every((segment) => {
    const at = rest.indexOf(segment)
    rest = rest.slice(at + 1)
    return at >= 0
  })
}

type Acts = Pick<ResolvedView, 'path' | 'member' | 'get' | 'create' | 'update' | 'delete' | 'actions'>

function actsOf(id: string, list: Operation, view: View, operations: readonly ViewedOperation[], byId: ById): Acts {
  const named = view.get && required(byId, view.get, id)
  const paths = operations
    .map(({ operation }) => operation.path)
    .filter((path) => isItemPath(path, list.path))
    .toSorted((a, b) => a.length - b.length)
  const path = named && paramNames(named.path).length > 0 ? named.path : paths[0]
  const at = (target: string | undefined, ...methods: string[]) =>
    methods.flatMap((method) =>
      operations.filter(
        ({ operation }) =>
          target !== undefined && operation.method === method && erased(operation.path) === erased(target),
      ),
    )[0]?.id
  const derived = {
    get: at(path, 'GET'),
    create: at(list.path, 'POST', 'PUT') ?? unlessUpdate(at(path, 'PUT')),
    update: at(path, 'PATCH', 'PUT', 'POST'),
    delete: at(path, 'DELETE'),
  }
  // A POST to a word below the item; where there is a GET as well, it creates something there.
  const isAction = ({ operation }: ViewedOperation) =>
    path !== undefined &&
    operation.method === 'POST' &&
    erased(operation.path).startsWith(erased(path)) &&
    /^[/:][\w-]+$/.test(erased(operation.path).slice(erased(path).length)) &&
    !at(operation.path, 'GET')
  const actions = view.actions ? [...view.actions] : operations.filter(isAction).map((operation) => operation.id)
  const labelled = (action: string) => ({ id: action, label: view.labels?.[action] ?? actionLabelOf(action) })
  const chosen = Object.entries(derived).flatMap(([act, found]) => {
    const operation = view[act as keyof typeof derived] === undefined ? found : view[act as keyof typeof derived]
    if (operation) required(byId, operation, id)
    return operation ? [[act, operation]] : []
  })
  for (const action of [...actions, ...Object.keys(view.labels ?? {})]) required(byId, action, id)
  const acts = Object.fromEntries(chosen) as Partial<Acts>
  return {
    ...(path !== undefined && { path }),
    ...acts,
    ...memberOf(acts.get && byId.get(acts.get)),
    actions: actions.map(labelled),
  }
}

/** A PUT to an item may also create it. */
const unlessUpdate = (id: string | undefined) => (id && /update/i.test(id) && !/create/i.test(id) ? undefined : id)

/** Some replies wrap the item in their only member. */
function memberOf(get: Operation | '' | undefined): Pick<ResolvedView, 'member'> {
  if (!get) return {}
  const [[name, shape] = ['', {}], ...others] = membersOf(shapeOf(get.replies[200]))
  return others.length === 0 && membersOf(shape).length > 0 ? { member: name } : {}
}

function keyOf(path: string | undefined, list: Operation, view: View, fields: Field[], id: string, item: Shape) {
  for (const field of Object.values(view.key ?? {})) existing(field, item, id)
  const isScoped = new Set(paramNames(list.path))
  const params = paramNames(path ?? '').filter((param) => !isScoped.has(param) && !(view.key && param in view.key))
  const found = params.map((param) => {
    // Several are in the ID, which is a path.
    const candidates = params.length > 1 ? ['id'] : [param, param.replace(/^.*(?=Id$|Name$|Arn$)/, ''), 'id', 'name']
    const field = candidates.flatMap((name) =>
      fields.filter((field) => last(field.path).toLowerCase() === name.toLowerCase()),
    )[0]
    if (!field) throw new Error(`The view ${id} must name the field of an item for '${param}'.`)
    return [param, field.path]
  })
  return { ...Object.fromEntries(found), ...view.key } as Record<string, string>
}

const nextNames = /^@?next_?(link|token|page_?token|offset|page_?number)$/i
const olderNames = /^(next|older)_?(link|url)$/i
const tokenNames = /^(\$?skip_?token|page_?token|next_?token|token|offset|page|after)$/i

function nextOf(list: Operation): { next?: NextPage } {
  const reply = shapeOf(list.replies[200])
  const params = [list.query, list.method === 'POST' ? list.body : undefined].flatMap((schema) =>
    membersOf(shapeOf(schema)).map(([name]) => name),
  )
  const field = membersOf(reply).find(([name]) => nextNames.test(name))?.[0]
  const param = params.find((name) => tokenNames.test(name))
  const older = membersOf(reply).flatMap(([name, shape]) =>
    membersOf(shape).flatMap(([inner]) => (olderNames.test(inner) ? [`${name}.${inner}`] : [])),
  )[0]
  if (older) return { next: { by: 'link', field: older } }
  if (field && /link$/i.test(field)) return { next: { by: 'link', field } }
  if (field && param) return { next: { by: 'token', field, param } }
  if (field) throw new Error(`The list ${list.path} has '${field}', but no parameter for it.`)
  if (params.includes('page')) return { next: { by: 'page', param: 'page' } }
  if (params.includes('skip')) return { next: { by: 'skip', param: 'skip' } }
  return params.includes('start') && params.includes('top') ? { next: { by: 'after', param: 'start' } } : {}
}

/** The view whose item's path begins the list's, or whose item has the list's parameter. */
function parentOf(view: ResolvedView, all: readonly ResolvedView[], declared: View | undefined, byId: ById) {
  if (declared?.parent) {
    required(byId, declared.parent.view, view.id)
    return { parent: declared.parent }
  }
  const path = byId.get(view.id)?.path ?? ''
  const params = paramNames(path)
  const others = all.filter((other) => other.id !== view.id && other.path !== undefined && other.parent === undefined)
  const above = others
    .filter((other) => `${erased(path)}/`.startsWith(`${erased(other.path ?? '')}/`))
    .toSorted((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0))[0]
  if (above) {
    const parentParams = paramNames(above.path ?? '')
    return {
      parent: { view: above.id, params: Object.fromEntries(parentParams.map((param, at) => [params[at], param])) },
    }
  }
  const param = params.at(-1)
  const owner = param && others.find((other) => paramNames(other.path ?? '').at(-1) === param)
  return owner ? { parent: { view: owner.id, params: { [param]: param } } } : {}
}
