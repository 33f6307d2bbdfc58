import { bytes, download, extensions, named, Type } from '@icosa/contract'
import { api, OperationStatus, Uuid } from '../shapes/contract.ts'

const Account = named('AzureAccountInfoObject', {
  azureSubscriptionId: Type.String(),
  resourceGroup: Type.String(),
  accountName: Type.String(),
})
const zip = download({ types: ['application/octet-stream'] })
const anything = bytes({ types: ['*/*'] })

/** Operations of the original that return 501. */
export const unbuilt = extensions({
  listCortanaEndpoints: api.get('/apps/assistants', {
    summary: 'Not supported: personal assistants.',
    replies: {
      200: named('PersonalAssistantsResponse', {
        endpointKeys: Type.Array(Uuid),
        endpointUrls: Type.Record(Type.String()),
      }),
    },
  }),
  listUserAccounts: api.get('/azureaccounts', {
    summary: 'Not supported: accounts of another cloud.',
    replies: { 200: Type.Array(Account) },
  }),
  getAssignedAccounts: api.get('/apps/{appId}/azureaccounts', {
    summary: 'Not supported: accounts of another cloud.',
    replies: { 200: Type.Array(Account) },
  }),
  assignAccount: api.post('/apps/{appId}/azureaccounts', {
    summary: 'Not supported: accounts of another cloud.',
    body: anything,
    replies: { 201: OperationStatus },
  }),
  removeAccount: api.delete('/apps/{appId}/azureaccounts', {
    summary: 'Not supported: accounts of another cloud.',
    replies: { 200: OperationStatus },
  }),
  packagePublished: api.get('/package/{appId}/slot/{slotName}/gzip', {
    summary: 'Not supported: packages for containers.',
    replies: { 200: zip },
  }),
  packageTrained: api.get('/package/{appId}/versions/{versionId}/gzip', {
    summary: 'Not supported: packages for containers.',
    replies: { 200: zip },
  }),
})
