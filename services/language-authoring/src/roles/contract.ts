import { Type } from '@icosa/contract'
import { api, at, EntityRole, NewName, OperationStatus, Uuid } from '../shapes/contract.ts'

/** Path of the roles of a kind of entity. */
export interface RolesAt {
  readonly kind: 'entity' | 'list' | 'composite' | 'hierarchical' | 'prebuilt' | 'regex' | 'patternAny' | 'custom'
  readonly path: string
  readonly param: string
}

export const roleKinds = {
  EntityRoles: { kind: 'entity', path: 'entities', param: 'entityId' },
  ClosedListRoles: { kind: 'list', path: 'closedlists', param: 'clEntityId' },
  CompositeEntityRoles: { kind: 'composite', path: 'compositeentities', param: 'cEntityId' },
  HierarchicalEntityRoles: { kind: 'hierarchical', path: 'hierarchicalentities', param: 'hEntityId' },
  PrebuiltRoles: { kind: 'prebuilt', path: 'prebuilts', param: 'prebuiltId' },
  RegexEntityRoles: { kind: 'regex', path: 'regexentities', param: 'regexEntityId' },
  PatternAnyEntityRoles: { kind: 'patternAny', path: 'patternanyentities', param: 'patternAnyId' },
  CustomPrebuiltEntityRoles: { kind: 'custom', path: 'customprebuiltentities', param: 'customEntityId' },
} as const satisfies Record<string, RolesAt>

export function rolesContract({ path, param }: RolesAt) {
  const all = `${at}/${path}/{${param}}/roles` as `${typeof at}/entities/{entityId}/roles`
  const role = `${all}/{roleId}` as const
  return {
    list: api.get(all, {
      summary: 'List the roles of an entity.',
      replies: { 200: Type.Array(EntityRole) },
      extension: true,
    }),
    create: api.post(all, {
      summary: 'Add a role to an entity.',
      body: NewName,
      replies: { 201: Uuid },
      extension: true,
    }),
    get: api.get(role, { summary: 'Read a role of an entity.', replies: { 200: EntityRole }, extension: true }),
    update: api.put(role, {
      summary: 'Rename a role of an entity.',
      body: NewName,
      replies: { 200: OperationStatus },
      extension: true,
    }),
    delete: api.delete(role, {
      summary: 'Delete a role of an entity. Its labels are kept without a role.',
      replies: { 200: OperationStatus },
      extension: true,
    }),
  }
}
