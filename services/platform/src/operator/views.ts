import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Platform',
  resources: {
    listTenants: {
      title: 'Tenants',
      about: 'A tenant owns everything that its keys create. Its first key creates it.',
      columns: ['tenant', 'credentials', 'resources', 'createdAt'],
    },
    listKeys: {
      title: 'Keys',
      about: 'Keys and signing secrets, with their permissions. Secrets are not stored in readable form.',
      columns: ['id', 'tenant', 'name', 'state', 'kind', 'tags:permissions', 'expiresAt'],
    },
    listAuditChains: {
      title: 'Audit log',
      about:
        'Who changed what. Each tenant has a chain, whose records prove each other; ~ records the acts of operators.',
      columns: ['chain', 'lastNumber', 'lastAt'],
    },
    listAuditRecords: {
      title: 'Records',
      about: 'Changes and refusals. Paths are those of the tenant, so only those of operators are shown.',
      state: null,
      columns: ['number', 'at', 'who', 'operation', 'number:status', 'subject', 'from'],
    },
    listNodes: {
      title: 'Nodes',
      about: 'Processes that serve requests or run jobs.',
      columns: ['host', 'state', 'role', 'version', 'clockSkewMs', 'lastHeartbeat', 'startedAt'],
    },
    listQueues: {
      title: 'Queues',
      about: 'Jobs that wait, run or have failed, of all tenants. None is queued now.',
      columns: ['queue', 'waiting', 'running', 'failed', 'oldestSeconds'],
    },
  },
}
