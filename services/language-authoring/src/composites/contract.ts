import { extensions, named, Type } from '@icosa/contract'
import { api, at, EntityRole, info, Name, NewName, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const composite = `${at}/compositeentities/{cEntityId}` as const

export const CompositeEntityExtractor = named('CompositeEntityExtractor', {
  ...info,
  roles: Type.Array(EntityRole),
  children: Type.Array(named('CompositeChild', info)),
})

export const composites = {
  list: api.get(`${at}/compositeentities`, {
    summary: 'List the composite entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(CompositeEntityExtractor) },
  }),
  ...extensions({
    get: api.get(composite, {
      summary: 'Read a composite entity.',
      replies: { 200: CompositeEntityExtractor },
    }),
    update: api.put(composite, {
      summary: 'Change the name and the children of a composite entity.',
      body: named('CompositeEntityModel', {
        name: Type.Optional(Name),
        children: Type.Optional(Type.Array(Name, { maxItems: 100 })),
      }),
      replies: { 200: OperationStatus },
    }),
    delete: api.delete(composite, {
      summary: 'Delete a composite entity.',
      replies: { 200: OperationStatus },
    }),
    addChild: api.post(`${composite}/children`, {
      summary: 'Add a child to a composite entity.',
      body: NewName,
      replies: { 201: Uuid },
    }),
    deleteChild: api.delete(`${composite}/children/{cChildId}`, {
      summary: 'Remove a child from a composite entity.',
      replies: { 200: OperationStatus },
    }),
  }),
}
