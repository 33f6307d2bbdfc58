import { type Operation, writes } from '../operation.ts'
import { paramNames } from '../path.ts'
import {
  actionLabelOf,
  columnOf,
  defaultColumns,
  fieldsOf,
  isList,
  itemOf,
  membersOf,
  nameField,
  type Shape,
  shapeAt,
  shapeOf,
  stateField,
} from './fields.ts'
import { type Panel, type PanelCall, panelKinds, type ResolvedPanel } from './panel.ts'

/** What panels can refer to. */
interface Known {
  readonly operation: (id: string, by: string) => Operation
  /** Shapes of the item: in the list, and in the reply that reads it. */
  readonly items: readonly Shape[]
}

/** Resolves panels. Throws at the first that names a missing operation, parameter or field. */
export const resolvePanels = (panels: readonly Panel[], known: Known): ResolvedPanel[] =>
  panels.map((panel) => resolvePanel(panel, known))

function resolvePanel(panel: Panel, known: Known): ResolvedPanel {
  const { title, about, also, columns, act } = panel
  const { as, ...show } = panel.show
  const call = panel.operation === undefined ? undefined : callOf({ ...panel, operation: panel.operation })
  if (call) checkCall(call, title, known, known.items)
  if (also) checkCall(also, title, known, known.items)
  const shapes = shapesOf(panel, show, known)
  const row = shapes.get('rows')
  if (act) checkCall(act, title, known, row ?? [])
  return {
    ...{ title, as, show },
    ...(about !== undefined && { about }),
    ...(call && { call }),
    reads: call !== undefined && !writes(known.operation(call.operation, title)),
    ...(also && { also: callOf(also) }),
    ...(as === 'table' && { columns: columnsOf(row?.[0] ?? {}, columns, title) }),
    ...(act && { act: { ...callOf(act), label: actionLabelOf(act.operation) } }),
  }
}

const callOf = ({ operation, fields, query, ask, body }: PanelCall): PanelCall => ({
  operation,
  ...(fields && { fields }),
  ...(query && { query }),
  ...(ask && { ask }),
  ...(body !== undefined && { body }),
})

/** Every parameter must exist, and every field of the item. */
function checkCall(call: PanelCall, title: string, known: Known, items: readonly Shape[]) {
  const operation = known.operation(call.operation, title)
  const query = membersOf(shapeOf(operation.query)).map(([name]) => name)
  const params = [...paramNames(operation.path), ...query]
  const isMember = (name: string) => operation.body && shapeAt(shapeOf(operation.body), name) !== undefined
  for (const name of [...Object.keys(call.query ?? {}), ...Object.keys(call.ask ?? {})])
    if (!params.includes(name)) throw new Error(`The panel ${title} gives '${name}', which no parameter is.`)
  for (const [name, path] of Object.entries(call.fields ?? {})) {
    if (!params.includes(name) && !isMember(name))
      throw new Error(`The panel ${title} gives '${name}', which no parameter or member of the body is.`)
    existing(items, path, title)
  }
}

function existing(shapes: readonly Shape[], path: string, title: string): Shape {
  const shape = shapes.map((one) => shapeAt(one, path)).find((one) => one !== undefined)
  if (!shape) throw new Error(`The panel ${title} names the field '${path}', which does not exist.`)
  return shape
}

/** Shapes of the rows of each list that a panel names, by the list's name. */
function shapesOf(panel: Panel, show: Readonly<Record<string, string>>, known: Known) {
  const roles: Readonly<Record<string, string>> = panelKinds[panel.show.as]
  const rows = new Map<string, readonly Shape[]>()
  for (const [name, role] of Object.entries(roles)) {
    const written = show[name]
    if (written === undefined) {
      if (!role.endsWith('?')) throw new Error(`The panel ${panel.title} must say where its '${name}' is.`)
      continue
    }
    const [, list, owner] = /^(list|value)(?: of (\w+))?\??$/.exec(role) ?? []
    const [, source, path = written] = /^(\w+):(.*)$/.exec(written) ?? []
    const shapes = owner ? (rows.get(owner) ?? []) : sourceOf(panel, source, known)
    if (list === 'list') rows.set(name, [rowAt(shapes, path, panel.title)])
    else existing(shapes, path, panel.title)
  }
  const unknown = Object.keys(show).find((name) => !(name in roles))
  if (unknown) throw new Error(`The panel ${panel.title} says where '${unknown}' is, which it does not draw.`)
  return rows
}

function sourceOf(panel: Panel, source: string | undefined, known: Known): readonly Shape[] {
  const reply = (id: string) => shapeOf(known.operation(id, panel.title).replies[200])
  if (source === 'item' || (source === undefined && panel.operation === undefined)) return known.items
  if (source === 'headers') return [{}]
  if (source === 'sent') return [shapeOf(known.operation(panel.operation ?? '', panel.title).body)]
  const id = source === 'also' ? panel.also?.operation : panel.operation
  return [reply(id ?? '')]
}

/** Shape of a row. Lists on the way are entered: in `Response.*`, the first is a list of wrappers. */
function rowAt(shapes: readonly Shape[], path: string, title: string): Shape {
  const segments = path === '' ? [] : path.split('.')
  let shape = { anyOf: shapes } as Shape
  for (const segment of segments) shape = existing([isList(shape) ? itemOf(shape) : shape], segment, title)
  if (isList(shape)) shape = itemOf(shape)
  else if (typeof shape.additionalProperties === 'object') shape = memberOf(shape.additionalProperties)
  return membersOf(shape).length > 0 || shape.type === undefined ? shape : { properties: { value: shape } }
}

/** A member of an object as a row, with its name. */
const memberOf = (shape: Shape): Shape =>
  isList(shape)
    ? memberOf(itemOf(shape))
    : { ...shape, ...(shape.properties && { properties: { name: { type: 'string' }, ...shape.properties } }) }

function columnsOf(row: Shape, columns: readonly string[] | undefined, title: string) {
  const fields = fieldsOf(row)
  const state = stateField(fields)
  for (const path of columns ?? []) existing([row], path.replace(/^\w+:/, ''), title)
  const chosen = columns ?? defaultColumns(fields, nameField(fields) ?? '', state)
  return chosen.map((path) => columnOf(path, row, state))
}
