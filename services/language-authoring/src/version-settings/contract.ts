import { extensions, named, Type } from '@icosa/contract'
import { api, at, OperationStatus } from '../shapes/contract.ts'

const Setting = named('AppVersionSettingObject', {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ maxLength: 100 }),
})

export const versionSettings = extensions({
  list: api.get(`${at}/settings`, {
    summary: 'List the settings of a version.',
    replies: { 200: Type.Array(Setting) },
  }),
  update: api.put(`${at}/settings`, {
    summary: 'Change settings of a version. Omitted settings keep their values.',
    body: Type.Array(Setting, { maxItems: 50 }),
    replies: { 200: OperationStatus },
  }),
})
