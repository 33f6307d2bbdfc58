import { named, Type } from '@icosa/contract'
import { api, at, EntityRole, info, OperationStatus, Page } from '../shapes/contract.ts'

export const PrebuiltEntityExtractor = named('PrebuiltEntityExtractor', { ...info, roles: Type.Array(EntityRole) })

export const prebuilts = {
  add: api.post(`${at}/prebuilts`, {
    summary: 'Add prebuilt entities.',
    body: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 50 }),
    replies: { 201: Type.Array(PrebuiltEntityExtractor) },
  }),
  list: api.get(`${at}/prebuilts`, {
    summary: 'List the prebuilt entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(PrebuiltEntityExtractor) },
  }),
  get: api.get(`${at}/prebuilts/{prebuiltId}`, {
    summary: 'Read a prebuilt entity.',
    replies: { 200: PrebuiltEntityExtractor },
    extension: true,
  }),
  delete: api.delete(`${at}/prebuilts/{prebuiltId}`, {
    summary: 'Remove a prebuilt entity.',
    replies: { 200: OperationStatus },
    extension: true,
  }),
  listAvailable: api.get(`${at}/listprebuilts`, {
    summary: 'List the available prebuilt entities.',
    replies: {
      200: Type.Array(
        named('AvailablePrebuiltEntityModel', {
          name: Type.String(),
          description: Type.String(),
          examples: Type.String(),
        }),
      ),
    },
  }),
}
