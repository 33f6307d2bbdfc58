import { named, type Static, Type } from '@icosa/contract'
import { api, count, next, opt, paged, Text, text, time } from '../shapes/contract.ts'

const resource = {
  ResourceArn: text,
  ResourceType: text,
  LastBackupTime: time,
  ResourceName: text,
  LastBackupVaultArn: text,
  LastRecoveryPointArn: text,
}
const ProtectedResource = named('ProtectedResource', resource)
export type ProtectedResource = Static<typeof ProtectedResource>
const list = named('ListProtectedResourcesOutput', { Results: Type.Array(ProtectedResource), ...next })

export const resources = {
  DescribeProtectedResource: api.get('/resources/{resourceArn}', {
    summary: 'Read when a protected resource was last backed up and restored.',
    replies: {
      200: named('DescribeProtectedResourceOutput', {
        ...resource,
        LatestRestoreExecutionTimeMinutes: count,
        LatestRestoreJobCreationDate: time,
        LatestRestoreRecoveryPointCreationDate: time,
      }),
    },
  }),
  ListProtectedResources: api.get('/resources/', {
    summary: 'List the resources that have recovery points.',
    extension: true,
    query: Type.Object(paged),
    replies: { 200: list },
  }),
  ListProtectedResourcesByBackupVault: api.get('/backup-vaults/{backupVaultName}/resources/', {
    summary: 'List the resources that have recovery points in a vault.',
    extension: true,
    query: Type.Object({ ...paged, backupVaultAccountId: opt(Text) }),
    replies: { 200: list },
  }),
}
