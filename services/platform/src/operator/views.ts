import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Platform',
  resources: {
    listTenants: {
      title: 'Tenants',
      about: 'A tenant owns everything that its keys create. Its first key creates it.',
      columns: ['tenant', 'state', 'credentials', 'resources', 'createdAt'],
      create: 'createKey',
      actions: ['createKey', 'assumeRole'],
      example: { name: 'first key', permissions: ['*'] },
    },
    listLimits: {
      title: 'Limits',
      about: 'What a tenant may use of a service, or of all services together: *.',
      columns: ['service', 'kind', 'amount', 'used'],
      key: { service: 'service', kind: 'kind' },
      create: 'setLimit',
      update: 'setLimit',
      delete: 'removeLimit',
      example: { amount: 1000 },
    },
    listKeys: {
      title: 'Keys',
      about: 'Keys and signing secrets, with their permissions. Secrets are not stored in readable form.',
      columns: ['id', 'tenant', 'name', 'state', 'kind', 'tags:permissions', 'expiresAt'],
      create: 'createKey',
      example: { name: 'laptop', permissions: ['*'] },
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
    listCells: {
      title: 'Cells',
      about:
        'A cell is a deployment with a PostgreSQL of its own. A platform without a directory has one, and lists none.',
      columns: ['name', 'state', 'tenants', 'capacity', 'tags:labels', 'url'],
    },
    listMoves: {
      title: 'Moves',
      about: 'Moves of tenants between cells. `icosa tenants move` starts, returns and finishes one.',
      columns: ['tenant', 'state', 'source', 'target', 'detail'],
      key: { id: 'id' },
    },
    listQueues: {
      title: 'Queues',
      about: 'Jobs that wait, run or have failed, of all tenants. None is queued now.',
      columns: ['queue', 'waiting', 'running', 'failed', 'oldestSeconds'],
    },
  },
}
