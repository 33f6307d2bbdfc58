import { coverService } from '@icosa/testing/cover'
import { platform } from '../index.ts'
import { operatorWith } from './index.ts'

coverService(operatorWith(), {
  beside: [platform],
  permissions: ['operator:*'],
  seed: async () => ({ tenant: 'owner', chain: 'owner' }),
  // Operators see all tenants, and none of their data: operator.test.ts.
  creating: ['getTenant', 'verifyAuditChain', 'listAuditRecords'],
})
