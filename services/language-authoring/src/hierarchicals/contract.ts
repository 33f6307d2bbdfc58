import { extensions, named, Type } from '@icosa/contract'
import { api, at, EntityRole, info, NewName, OperationStatus, Page } from '../shapes/contract.ts'

const hierarchical = `${at}/hierarchicalentities/{hEntityId}` as const
const HierarchicalChild = named('HierarchicalChildEntity', info)

export const HierarchicalEntityExtractor = named('HierarchicalEntityExtractor', {
  ...info,
  roles: Type.Array(EntityRole),
  children: Type.Array(HierarchicalChild),
})

export const hierarchicals = {
  list: api.get(`${at}/hierarchicalentities`, {
    summary: 'List the hierarchical entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(HierarchicalEntityExtractor) },
  }),
  ...extensions({
    get: api.get(hierarchical, {
      summary: 'Read a hierarchical entity.',
      replies: { 200: HierarchicalEntityExtractor },
    }),
    update: api.patch(hierarchical, {
      summary: 'Rename a hierarchical entity.',
      body: NewName,
      replies: { 200: OperationStatus },
    }),
    delete: api.delete(hierarchical, {
      summary: 'Delete a hierarchical entity and its children.',
      replies: { 200: OperationStatus },
    }),
    getChild: api.get(`${hierarchical}/children/{hChildId}`, {
      summary: 'Read a child of a hierarchical entity.',
      replies: { 200: HierarchicalChild },
    }),
    updateChild: api.patch(`${hierarchical}/children/{hChildId}`, {
      summary: 'Rename a child of a hierarchical entity.',
      body: NewName,
      replies: { 200: OperationStatus },
    }),
    deleteChild: api.delete(`${hierarchical}/children/{hChildId}`, {
      summary: 'Delete a child of a hierarchical entity, with its labels.',
      replies: { 200: OperationStatus },
    }),
  }),
}
