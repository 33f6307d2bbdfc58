import { extensions, named, type Static, Type } from '@icosa/contract'
import { listOf, namespaced, Tags } from '@icosa/dialects/arm'
import { api } from '../stores/contract.ts'

const { get, post, inSubscription } = api

const DeletedConfigurationStore = named('DeletedConfigurationStore', {
  id: namespaced(),
  name: Type.String(),
  type: namespaced(),
  properties: named('DeletedConfigurationStoreProperties', {
    configurationStoreId: namespaced({ description: 'Its former id.' }),
    location: Type.String(),
    deletionDate: Type.String({ format: 'date-time' }),
    scheduledPurgeDate: Type.String({ format: 'date-time', description: 'Time of automatic purging.' }),
    tags: Tags,
    purgeProtectionEnabled: Type.Boolean(),
  }),
})
export interface DeletedConfigurationStore extends Static<typeof DeletedConfigurationStore> {}

const deletedStore = inSubscription('/locations/{location}/deletedConfigurationStores/{configStoreName}')

export const deletedStores = extensions({
  listDeleted: get(inSubscription('/deletedConfigurationStores'), {
    summary: 'List the deleted configuration stores of a subscription.',
    query: { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) },
    replies: { 200: listOf('DeletedConfigurationStoreListResult', DeletedConfigurationStore) },
  }),
  getDeleted: get(deletedStore, {
    summary: 'Read a deleted configuration store.',
    replies: { 200: DeletedConfigurationStore },
  }),
  purgeDeleted: post(`${deletedStore}/purge` as const, {
    summary: 'Purge a deleted configuration store, in the background.',
    replies: { 202: null },
  }),
})
