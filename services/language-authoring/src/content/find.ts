import { badArgument, nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { type Child, type Content, type Kind, kinds, type Model } from './content.ts'

/** Limits of the original. */
export const limits = { intents: 500, entities: 600, children: 100, roles: 100 } as const

export const ofKind = (content: Content, kind: Kind): Model[] => content.models.filter((model) => model.kind === kind)

const isEntity = ({ kind }: Model): boolean => kind !== 'intent'

export function modelOf(content: Content, kind: Kind, id: string): Model {
  return content.models.find((model) => model.id === id && model.kind === kind) ?? unknown(kinds[kind].noun, id)
}

export interface ChildPlace {
  readonly model: Model
  readonly siblings: Child[]
  readonly child: Child
}

export function findChild(content: Content, id: string, kind: Kind = 'entity'): ChildPlace | undefined {
  for (const model of ofKind(content, kind)) {
    const place = within(model, model.children, id)
    if (place) return place
  }
  return undefined
}

function within(model: Model, siblings: Child[], id: string): ChildPlace | undefined {
  for (const child of siblings) {
    const place = child.id === id ? { model, siblings, child } : within(model, child.children, id)
    if (place) return place
  }
  return undefined
}

export function* childrenOf({ children }: { readonly children: readonly Child[] }): Generator<Child> {
  for (const child of children) {
    yield child
    yield* childrenOf(child)
  }
}

export const entityNamed = (content: Content, name: string): Model | undefined =>
  content.models.find((model) => model.name === name && isEntity(model))

export const intentNamed = (content: Content, name: string): Model | undefined =>
  content.models.find((model) => model.name === name && model.kind === 'intent')

/** Refuses a name that another intent, or another entity, has. */
export function demandNewName(content: Content, kind: Kind, name: string, except?: Model): void {
  const other = kind === 'intent' ? intentNamed(content, name) : entityNamed(content, name)
  if (other && other !== except) nameTaken(kinds[other.kind].noun, name)
}

export function addModel(content: Content, model: Model): Model {
  const { kind, name } = model
  demandNewName(content, kind, name)
  const isIntent = kind === 'intent'
  const alike = content.models.filter((other) => (other.kind === 'intent') === isIntent)
  const limit = isIntent ? limits.intents : limits.entities
  if (alike.length >= limit) tooMany(isIntent ? 'intents' : 'entities', limit)
  content.models.push(model)
  return model
}

export const newNumber = (content: Content): number => content.nextNumber++

export function demandChildNames(children: readonly { readonly name: string }[]): void {
  const names = new Set<string>()
  for (const { name } of children) {
    if (names.has(name)) badArgument(`Two children are named '${name}'.`)
    names.add(name)
  }
  if (children.length > limits.children) tooMany('children', limits.children)
}
