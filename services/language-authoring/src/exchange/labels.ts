import type { Child, Content, Label, Model } from '../content/content.ts'
import { childrenOf } from '../content/find.ts'
import { badArgument } from '../shapes/failures.ts'
import type { Fields } from './fields.ts'

/** A model or child that a label can name. */
export interface LabelTarget {
  readonly id: string
  readonly model: Model
  readonly children: readonly Child[]
}

/** Returns all label targets: entities by name, children by name or as `Parent::Child`. */
function labelNames(content: Content): Map<string, LabelTarget> {
  const names = new Map<string, LabelTarget>()
  const entities = content.models.filter(({ kind }) => kind !== 'intent')
  for (const model of entities) names.set(model.name, { id: model.id, model, children: model.children })
  for (const model of entities) {
    if (model.kind === 'composite') continue
    for (const child of childrenOf(model)) {
      const target = { id: child.id, model, children: child.children }
      names.set(`${model.name}::${child.name}`, target)
      if (!names.has(child.name)) names.set(child.name, target)
    }
  }
  return names
}

/** Returns the names of models and children in labels; children of hierarchical entities are `Parent::Child`. */
export function labelNamesById(
  content: Content,
): Map<string, { readonly name: string; readonly roles: Map<string, string> }> {
  const names = new Map<string, { name: string; roles: Map<string, string> }>()
  for (const model of content.models) {
    const roles = new Map(model.roles.map(({ id, name }) => [id, name]))
    names.set(model.id, { name: model.name, roles })
    if (model.kind !== 'composite')
      for (const { id, name } of childrenOf(model))
        names.set(id, { name: model.kind === 'hierarchical' ? `${model.name}::${name}` : name, roles: new Map() })
  }
  return names
}

/** A label by names, as in requests and files. */
export interface NamedLabel {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly role?: string | undefined
  readonly children: readonly NamedLabel[]
  /** Path, for messages. */
  readonly at: string
}

/** Resolves names to ids; refuses unknown ones. */
export function labelReader(content: Content) {
  const names = labelNames(content)
  const parts = (children: readonly Child[], model: Model) =>
    new Map(children.map((child) => [child.name, { id: child.id, model, children: child.children }] as const))

  function read(label: NamedLabel, text: string, within: ReadonlyMap<string, LabelTarget>): Label {
    const { name, start, end, role, at } = label
    const target = within.get(name) ?? names.get(name) ?? badArgument(`${at}: there is no entity '${name}'.`)
    if (start < 0 || end < start || end >= text.length)
      badArgument(`${at}: '${name}' is from ${start} to ${end}, which is not in the text.`)
    const children = label.children.map((child) => read(child, text, parts(target.children, target.model)))
    return {
      model: target.id,
      start,
      end,
      ...(role !== undefined && role !== '' && { role: roleOf(target.model, role, at) }),
      ...(children.length > 0 && { children }),
    }
  }

  return (labels: readonly NamedLabel[], text: string): Label[] => labels.map((label) => read(label, text, names))
}

const roleOf = (model: Model, role: string, at: string): string =>
  model.roles.find(({ name }) => name === role)?.id ?? badArgument(`${at}: '${model.name}' has no role '${role}'.`)

/** Reads the labels of utterances in a file. */
export function readLabels(content: Content) {
  const reader = labelReader(content)
  const toLabel = (label: Fields): NamedLabel => ({
    name: label.text('entity'),
    start: label.whole('startPos'),
    end: label.whole('endPos'),
    ...(label.has('role') && { role: label.text('role') }),
    children: label.objects('children').map(toLabel),
    at: label.at('entity'),
  })
  return (utterance: Fields, text: string) => reader(utterance.objects('entities').map(toLabel), text)
}
