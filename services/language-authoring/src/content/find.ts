import { badArgument, nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { type Child, type Content, type Kind, kinds, type Model } from './content.ts'

/** As many as the original allows. */
export const most = { intents: 500, entities: 600, children: 100, roles: 100 } as const

export const ofKind = (content: Content, kind: Kind): Model[] => content.models.filter((one) => one.kind === kind)

const isEntity = ({ kind }: Model): boolean => kind !== 'intent'

export function modelOf(content: Content, kind: Kind, id: string): Model {
  return content.models.find((one) => one.id === id && one.kind === kind) ?? unknown(kinds[kind].noun, id)
}

/** A child, and what it is a child of. */
export interface Found {
  readonly model: Model
  readonly siblings: Child[]
  readonly child: Child
}

export function findChild(content: Content, id: string, kind: Kind = 'entity'): Found | undefined {
  for (const model of ofKind(content, kind)) {
    const found = within(model, model.children, id)
    if (found) return found
  }
  return undefined
}

function within(model: Model, siblings: Child[], id: string): Found | undefined {
  for (const child of siblings) {
    const found = child.id === id ? { model, siblings, child } : within(model, child.children, id)
    if (found) return found
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
  content.models.find((one) => one.name === name && isEntity(one))

export const intentNamed = (content: Content, name: string): Model | undefined =>
  content.models.find((one) => one.name === name && one.kind === 'intent')

/** Refuses a name that another model has: of intents an intent, of entities an entity. */
export function demandNewName(content: Content, kind: Kind, name: string, except?: Model): void {
  const other = kind === 'intent' ? intentNamed(content, name) : entityNamed(content, name)
  if (other && other !== except) nameTaken(kinds[other.kind].noun, name)
}

export function addModel(content: Content, model: Model): Model {
  const { kind, name } = model
  demandNewName(content, kind, name)
  const isIntent = kind === 'intent'
  const alike = content.models.filter((one) => (one.kind === 'intent') === isIntent)
  const limit = isIntent ? most.intents : most.entities
  if (alike.length >= limit) tooMany(isIntent ? 'intents' : 'entities', limit)
  content.models.push(model)
  return model
}

export const newNumber = (content: Content): number => content.nextNumber++

export function demandChildNames(children: readonly { readonly name: string }[]): void {
  const names = new Set<string>()
  for (const { name } of children) {
    if (names.has(name)) badArgument(`Two children are called '${name}'.`)
    names.add(name)
  }
  if (children.length > most.children) tooMany('children', most.children)
}
