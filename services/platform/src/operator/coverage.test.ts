import { coverService } from '@icosa/testing/cover'
import { platform } from '../index.ts'
import { operatorWith } from './index.ts'

coverService(operatorWith({ tenancies: async () => [] }), {
  beside: [platform],
  permissions: ['operator:*'],
  async seed({ baseUrl, headers = {} }, app) {
    await app.key('gone')
    const deleted = await fetch(`${baseUrl}/tenants/gone`, { method: 'DELETE', headers })
    const operationId = deleted.headers.get('operation-location')?.split('/').at(-1) ?? 'none'
    return { tenant: 'owner', chain: 'owner', keyId: 'key_unknown', service: 'backup', kind: 'requests', operationId }
  },
  // Operators see all tenants, and none of their data: operator.test.ts, changes/changes.test.ts.
  creating: [
    ...['getTenant', 'listLimits', 'verifyAuditChain', 'listAuditRecords'],
    ...['createKey', 'setLimit', 'removeLimit', 'assumeRole', 'deleteTenant'],
  ],
  fields: {
    createKey: 'an action: src/operator/changes/changes.test.ts',
    setLimit: 'an action: src/operator/changes/changes.test.ts',
    assumeRole: 'an action: src/operator/changes/changes.test.ts',
  },
})
