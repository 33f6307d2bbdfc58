import { named, type Schema, Type } from '@icosa/contract'
import { api, at, custom, EntityRole, info, Name, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const entity = `${at}/entities/{entityId}` as const

export interface NewChild {
  readonly name: string
  readonly instanceOf?: string
  readonly children?: readonly NewChild[]
}

/** The schema is not recursive; the handler validates children of children. */
const NewChild = named('ChildEntityModelCreateObject', {
  name: Name,
  instanceOf: Type.Optional(Name),
  children: Type.Optional(Type.Array(Type.Record(Type.Unknown()), { maxItems: 100 })),
}) as unknown as Schema<NewChild>

const Child = named('ChildEntity', {
  ...info,
  instanceOf: Type.Optional(Type.String()),
  children: Type.Optional(Type.Array(Type.Record(Type.Unknown()))),
})

export const NDepthEntityExtractor = named('NDepthEntityExtractor', {
  ...info,
  roles: Type.Array(EntityRole),
  /** Only for a part. */
  instanceOf: Type.Optional(Type.String()),
  children: Type.Array(Child),
  ...custom,
})

export const entities = {
  add: api.post(`${at}/entities`, {
    summary: 'Create a machine-learned entity with its children.',
    body: named('EntityModelCreateObject', {
      name: Name,
      children: Type.Optional(Type.Array(NewChild, { maxItems: 100 })),
    }),
    replies: { 201: Uuid },
  }),
  list: api.get(`${at}/entities`, {
    summary: 'List the machine-learned entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(NDepthEntityExtractor) },
  }),
  get: api.get(entity, { summary: 'Read an entity.', replies: { 200: NDepthEntityExtractor } }),
  delete: api.delete(entity, {
    summary: 'Delete an entity or a child entity, with its labels.',
    replies: { 200: OperationStatus },
  }),
  update: api.patch(entity, {
    summary: 'Rename an entity. A child entity can also become an instance of another entity.',
    body: named('EntityModelUpdateObject', {
      name: Type.Optional(Name),
      instanceOf: Type.Optional(Type.Nullable(Type.String({ maxLength: 200 }))),
    }),
    replies: { 200: OperationStatus },
  }),
  addChild: api.post(`${entity}/children`, {
    summary: 'Add a child to an entity or a child entity.',
    body: NewChild,
    replies: { 201: Uuid },
    extension: true,
  }),
}
