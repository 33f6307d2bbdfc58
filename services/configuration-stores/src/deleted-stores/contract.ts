import { named, type Static, Type } from '@icosa/contract'
import { listOf, namespaced, Tags } from '@icosa/dialects/arm'
import { api } from '../stores/contract.ts'

const { get, post, inSubscription } = api

const DeletedConfigurationStore = named('DeletedConfigurationStore', {
  id: namespaced(),
  name: Type.String(),
  type: namespaced(),
  properties: named('DeletedConfigurationStoreProperties', {
    configurationStoreId: namespaced({ description: 'The id that it had.' }),
    location: Type.String(),
    deletionDate: Type.String({ format: 'date-time' }),
    scheduledPurgeDate: Type.String({ format: 'date-time', description: 'When it is purged by itself.' }),
    tags: Tags,
    purgeProtectionEnabled: Type.Boolean(),
  }),
})
export interface DeletedConfigurationStore extends Static<typeof DeletedConfigurationStore> {}

const one = inSubscription('/locations/{location}/deletedConfigurationStores/{configStoreName}')

export const deletedStores = {
  listDeleted: get(inSubscription('/deletedConfigurationStores'), {
    summary: 'List the deleted configuration stores of a subscription that are still kept.',
    query: { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) },
    replies: { 200: listOf('DeletedConfigurationStoreListResult', DeletedConfigurationStore) },
    extension: true,
  }),
  getDeleted: get(one, {
    summary: 'Read a deleted configuration store.',
    replies: { 200: DeletedConfigurationStore },
    extension: true,
  }),
  purgeDeleted: post(`${one}/purge` as const, {
    summary: 'Delete a deleted configuration store for good, in the background.',
    replies: { 202: null },
    extension: true,
  }),
}
