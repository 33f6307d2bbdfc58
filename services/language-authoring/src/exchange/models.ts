import { randomUUID } from 'node:crypto'
import type { Child, Content, Inherits, Kind, Model, Relation, Role } from '../content/content.ts'
import { badArgument } from '../shapes/failures.ts'
import { Fields } from './fields.ts'

/** Models of all kinds, in the order of a file. */
export function readModels(file: Fields, content: Content): void {
  const add = (kind: Kind, one: Fields, more: Partial<Model> = {}) => {
    const model = modelOf(kind, one, more)
    demandNewName(content, model)
    content.models.push(model)
  }
  for (const one of file.objects('intents')) add('intent', one)
  for (const one of file.objects('entities')) {
    const isOlder = one.list('children').some((child) => typeof child === 'string')
    if (isOlder) add('hierarchical', one, { children: namedChildren(one), isAmongEntities: true })
    else add('entity', one, { children: childrenOf(one) })
  }
  for (const one of file.objects('hierarchicals')) add('hierarchical', one, { children: namedChildren(one) })
  for (const one of file.objects('composites')) add('composite', one, { children: namedChildren(one) })
  for (const one of file.objects('closedLists')) add('list', one, { subLists: subListsOf(one, content) })
  for (const one of file.objects('patternAnyEntities'))
    add('patternAny', one, {
      explicitList: one.texts('explicitList').map((item) => ({ id: content.nextNumber++, explicitListItem: item })),
    })
  for (const one of file.objects(content.form.regexEntities))
    add('regex', one, { regexPattern: one.text('regexPattern') })
  if (content.form.prebuilts === 'prebuiltEntities')
    for (const one of file.objects('prebuiltEntities')) add('prebuilt', one)
  else
    for (const [index, name] of file.texts('bing_entities').entries())
      add('prebuilt', new Fields({ name }, `bing_entities[${index}]`))
  demandKnown(content)
}

/** Intents have names of their own, and so do entities. */
function demandNewName({ models }: Content, { kind, name }: Model): void {
  const isIntent = kind === 'intent'
  if (models.some((one) => one.name === name && (one.kind === 'intent') === isIntent))
    badArgument(`Two ${isIntent ? 'intents' : 'entities'} are called '${name}'.`)
}

function modelOf(kind: Kind, one: Fields, more: Partial<Model>): Model {
  return {
    id: randomUUID(),
    kind,
    name: one.name(),
    roles: kind === 'intent' ? [] : rolesOf(one),
    features: featuresOf(one),
    children: [],
    ...inheritsOf(one),
    ...(kind === 'entity' && one.any('instanceOf') !== undefined && { instanceOf: one.any('instanceOf') as string }),
    ...more,
    ...one.rest(),
  }
}

function rolesOf(one: Fields): Role[] {
  const names = one.texts('roles')
  if (new Set(names).size < names.length) badArgument(`${one.at('roles')} has a name twice.`)
  return names.map((name) => ({ id: randomUUID(), name }))
}

/** An empty text is what some tools write where there are none. */
function featuresOf(one: Fields): Relation[] {
  if (one.any('features') === '') return []
  return one.objects('features').map((feature) => ({
    ...(feature.has('featureName') && { featureName: feature.text('featureName') }),
    ...(feature.has('modelName') && { modelName: feature.text('modelName') }),
    ...(feature.has('isRequired') && { isRequired: feature.flag('isRequired', false) }),
    ...feature.rest(),
  }))
}

function inheritsOf(one: Fields): { inherits?: Inherits } {
  if (!one.has('inherits')) return {}
  const inherits = one.inside(one.any('inherits'), one.at('inherits'))
  return { inherits: { domain_name: inherits.text('domain_name', ''), model_name: inherits.text('model_name', '') } }
}

function childrenOf(one: Fields): Child[] {
  return one.objects('children').map((child) => {
    const instanceOf = child.any('instanceOf')
    if (typeof instanceOf !== 'string' && instanceOf !== undefined && instanceOf !== null)
      badArgument(`${child.at('instanceOf')} is not a text.`)
    return {
      id: randomUUID(),
      name: child.name(),
      ...(instanceOf !== undefined && { instanceOf: instanceOf as string | null }),
      features: featuresOf(child),
      children: childrenOf(child),
      ...child.rest(),
    }
  })
}

/** Names alone, objects with a name, or those in another one, which tools write that upgrade a file twice. */
function namedChildren(one: Fields): Child[] {
  const nameOf = (child: unknown, at: string): string => {
    if (typeof child === 'string') return child
    const fields = one.inside(child, at)
    return typeof fields.any('name') === 'object' ? nameOf(fields.any('name'), fields.at('name')) : fields.name()
  }
  return one.list('children').map((child, index) => {
    const name = nameOf(child, `${one.at('children')}[${index}]`)
    return { id: randomUUID(), name, features: [], children: [] }
  })
}

const subListsOf = (one: Fields, content: Content) =>
  one.objects('subLists').map((sub) => ({
    id: content.nextNumber++,
    canonicalForm: sub.text('canonicalForm'),
    list: sub.texts('list'),
  }))

/** What is made of other entities is made of those that are there. */
function demandKnown({ models }: Content): void {
  const entities = models.filter(({ kind }) => kind !== 'intent')
  const names = new Set(entities.map(({ name }) => name))
  for (const { kind, name, children } of entities)
    if (kind === 'hierarchical') for (const child of children) names.add(`${name}::${child.name}`)
  for (const { kind, name, children } of models)
    if (kind === 'composite')
      for (const child of children)
        if (!names.has(child.name))
          badArgument(`The composite entity '${name}' has a child '${child.name}' that is no entity.`)
}
