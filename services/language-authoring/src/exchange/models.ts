import { randomUUID } from 'node:crypto'
import type { Child, Content, Inherits, Kind, Model, Relation, Role } from '../content/content.ts'
import { badArgument } from '../shapes/failures.ts'
import { Fields } from './fields.ts'

/** Reads models of all kinds, in the order of the file. */
export function readModels(file: Fields, content: Content): void {
  const add = (kind: Kind, fields: Fields, more: Partial<Model> = {}) => {
    const model = modelOf(kind, fields, more)
    demandNewName(content, model)
    content.models.push(model)
  }
  for (const fields of file.objects('intents')) add('intent', fields)
  for (const fields of file.objects('entities')) {
    const isOlder = fields.list('children').some((child) => typeof child === 'string')
    if (isOlder) add('hierarchical', fields, { children: namedChildren(fields), isAmongEntities: true })
    else add('entity', fields, { children: childrenOf(fields) })
  }
  for (const fields of file.objects('hierarchicals')) add('hierarchical', fields, { children: namedChildren(fields) })
  for (const fields of file.objects('composites')) add('composite', fields, { children: namedChildren(fields) })
  for (const fields of file.objects('closedLists')) add('list', fields, { subLists: subListsOf(fields, content) })
  for (const fields of file.objects('patternAnyEntities'))
    add('patternAny', fields, {
      explicitList: fields.texts('explicitList').map((item) => ({ id: content.nextNumber++, explicitListItem: item })),
    })
  for (const fields of file.objects(content.form.regexEntities))
    add('regex', fields, { regexPattern: fields.text('regexPattern') })
  if (content.form.prebuilts === 'prebuiltEntities')
    for (const fields of file.objects('prebuiltEntities')) add('prebuilt', fields)
  else
    for (const [index, name] of file.texts('bing_entities').entries())
      add('prebuilt', new Fields({ name }, `bing_entities[${index}]`))
  demandKnown(content)
}

/** Names are unique among intents, and among entities. */
function demandNewName({ models }: Content, { kind, name }: Model): void {
  const isIntent = kind === 'intent'
  if (models.some((model) => model.name === name && (model.kind === 'intent') === isIntent))
    badArgument(`Two ${isIntent ? 'intents' : 'entities'} are named '${name}'.`)
}

function modelOf(kind: Kind, fields: Fields, more: Partial<Model>): Model {
  return {
    id: randomUUID(),
    kind,
    name: fields.name(),
    roles: kind === 'intent' ? [] : rolesOf(fields),
    features: featuresOf(fields),
    children: [],
    ...inheritsOf(fields),
    ...(kind === 'entity' &&
      fields.any('instanceOf') !== undefined && { instanceOf: fields.any('instanceOf') as string }),
    ...more,
    ...fields.rest(),
  }
}

function rolesOf(fields: Fields): Role[] {
  const names = fields.texts('roles')
  if (new Set(names).size < names.length) badArgument(`${fields.at('roles')} has a name twice.`)
  return names.map((name) => ({ id: randomUUID(), name }))
}

/** Some tools write an empty text instead of an empty list. */
function featuresOf(fields: Fields): Relation[] {
  if (fields.any('features') === '') return []
  return fields.objects('features').map((feature) => ({
    ...(feature.has('featureName') && { featureName: feature.text('featureName') }),
    ...(feature.has('modelName') && { modelName: feature.text('modelName') }),
    ...(feature.has('isRequired') && { isRequired: feature.flag('isRequired', false) }),
    ...feature.rest(),
  }))
}

function inheritsOf(fields: Fields): { inherits?: Inherits } {
  if (!fields.has('inherits')) return {}
  const inherits = fields.inside(fields.any('inherits'), fields.at('inherits'))
  return { inherits: { domain_name: inherits.text('domain_name', ''), model_name: inherits.text('model_name', '') } }
}

function childrenOf(fields: Fields): Child[] {
  return fields.objects('children').map((child) => {
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

/** Accepts names, objects with a name, and nested ones from tools that upgrade a file twice. */
function namedChildren(fields: Fields): Child[] {
  const nameOf = (child: unknown, at: string): string => {
    if (typeof child === 'string') return child
    const inner = fields.inside(child, at)
    return typeof inner.any('name') === 'object' ? nameOf(inner.any('name'), inner.at('name')) : inner.name()
  }
  return fields.list('children').map((child, index) => {
    const name = nameOf(child, `${fields.at('children')}[${index}]`)
    return { id: randomUUID(), name, features: [], children: [] }
  })
}

const subListsOf = (fields: Fields, content: Content) =>
  fields.objects('subLists').map((sub) => ({
    id: content.nextNumber++,
    canonicalForm: sub.text('canonicalForm'),
    list: sub.texts('list'),
  }))

/** Refuses composites with unknown children. */
function demandKnown({ models }: Content): void {
  const entities = models.filter(({ kind }) => kind !== 'intent')
  const names = new Set(entities.map(({ name }) => name))
  for (const { kind, name, children } of entities)
    if (kind === 'hierarchical') for (const child of children) names.add(`${name}::${child.name}`)
  for (const { kind, name, children } of models)
    if (kind === 'composite')
      for (const child of children)
        if (!names.has(child.name))
          badArgument(`The composite entity '${name}' has a child '${child.name}' that is not an entity.`)
}
