import { named, oneOf, type Static, Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyHeader } from '../names.ts'

const optional = Type.Optional
const text = Type.String()
const time = Type.String({ format: 'date-time' })
const count = Type.Integer({ minimum: 0 })
export const tenant = Type.String({ pattern: '^[\\w.@-]{1,100}$' })
const pageToken = optional(Type.String({ maxLength: 2_000 }))
const nextPageToken = optional(text)

const { get } = keyed(keyHeader, { tenant, chain: Type.String({ pattern: '^(~|[\\w.@-]{1,100})$' }) })

const summary = {
  tenant: text,
  state: oneOf('Active', 'Deleting'),
  createdAt: time,
  credentials: count,
  resources: count,
}

export const LimitSchema = named('TenantLimit', {
  service: Type.String({ description: '* means all services together.' }),
  kind: oneOf('resources', 'requests', 'bytes'),
  amount: count,
  used: optional(Type.Integer({ minimum: 0, description: 'Of resources and bytes; requests are counted per node.' })),
})
export interface TenantLimit extends Static<typeof LimitSchema> {}

export const keyFields = {
  id: text,
  tenant: text,
  name: text,
  kind: oneOf('key', 'signing'),
  permissions: Type.Array(text),
  createdAt: time,
  expiresAt: optional(time),
}

const KeySchema = named('Key', {
  ...keyFields,
  state: oneOf('valid', 'expired', 'revoked'),
  revokedAt: optional(time),
})
export interface Key extends Static<typeof KeySchema> {}

const ChainSchema = named('AuditChain', {
  chain: Type.String({ description: 'A tenant; ~ is the platform, whose chain records the acts of operators.' }),
  lastNumber: count,
  lastAt: time,
})
export interface AuditChain extends Static<typeof ChainSchema> {}

export const recordFields = {
  number: count,
  at: time,
  who: text,
  from: text,
  operation: text,
  status: Type.Integer(),
  requestId: text,
  isErased: Type.Boolean({ description: 'Whether personal fields were erased with the tenant.' }),
}

const RecordSchema = named('AuditRecord', {
  ...recordFields,
  subject: optional(Type.String({ description: "In the platform's chain: the tenant that an act concerns." })),
  resource: optional(Type.String({ description: "Only in the platform's chain: paths of a tenant are its own." })),
})
export const recordFilter = {
  who: optional(Type.String({ maxLength: 500, description: 'Exactly: a credential or a person.' })),
  operation: optional(Type.String({ maxLength: 200, description: 'A part of `service:operation`.' })),
  minStatus: optional(Type.Integer({ minimum: 100, maximum: 599 })),
  before: optional(time),
  pageToken,
}
export interface AuditRecord extends Static<typeof RecordSchema> {}

const NodeSchema = named('Node', {
  id: text,
  host: text,
  process: count,
  version: text,
  role: oneOf('API and worker', 'API', 'worker', 'none'),
  services: Type.Array(text),
  state: oneOf('alive', 'silent'),
  clockSkewMs: Type.Number({ description: "How far its machine's clock is ahead of PostgreSQL's." }),
  startedAt: time,
  lastHeartbeat: time,
})
export interface Node extends Static<typeof NodeSchema> {}

const QueueSchema = named('Queue', {
  queue: Type.String({ description: 'Its service, and the lane.' }),
  service: text,
  lane: text,
  waiting: count,
  running: count,
  failed: Type.Integer({ minimum: 0, description: 'Jobs of which several workers died.' }),
  oldestSeconds: Type.Number({ minimum: 0, description: 'Age of the oldest waiting job.' }),
})
export interface Queue extends Static<typeof QueueSchema> {}

const CellSchema = named('Cell', {
  name: text,
  state: oneOf('active', 'draining'),
  isHome: Type.Boolean({ description: 'Whether people and their sessions are there.' }),
  tenants: count,
  capacity: count,
  labels: Type.Array(Type.String({ description: 'As in `region=eu`.' })),
  url: text,
})
export interface Cell extends Static<typeof CellSchema> {}

const MoveSchema = named('Move', {
  id: text,
  tenant: text,
  source: text,
  target: text,
  state: text,
  detail: Type.String({ description: 'What the last step found.' }),
})
export interface Move extends Static<typeof MoveSchema> {}

export const operatorContract = {
  listTenants: get('/tenants', {
    summary: 'List the tenants of the cell, with the number of their credentials and resources.',
    query: Type.Object({ pageToken }),
    replies: { 200: named('Tenants', { tenants: Type.Array(named('Tenant', summary)), nextPageToken }) },
  }),
  getTenant: get('/tenants/{tenant}', {
    summary: 'Read the limits and the usage of a tenant.',
    replies: {
      200: named('TenantUsage', {
        ...summary,
        limits: Type.Array(LimitSchema),
        usage: Type.Array(named('ServiceUsage', { service: text, resources: count, jobs: count })),
      }),
    },
  }),
  listLimits: get('/tenants/{tenant}/limits', {
    summary: 'List the limits of a tenant, with their usage.',
    replies: { 200: named('TenantLimits', { limits: Type.Array(LimitSchema) }) },
  }),
  listKeys: get('/keys', {
    summary: 'List keys and signing secrets of all tenants, or of one, without their secrets.',
    query: Type.Object({ tenant: optional(tenant), pageToken }),
    replies: { 200: named('Keys', { keys: Type.Array(KeySchema), nextPageToken }) },
  }),
  listAuditChains: get('/audit', {
    summary: 'List the chains of the audit log: one for each tenant, and one for the acts of operators.',
    query: Type.Object({ pageToken }),
    replies: { 200: named('AuditChains', { chains: Type.Array(ChainSchema), nextPageToken }) },
  }),
  verifyAuditChain: get('/audit/{chain}', {
    summary: 'Prove that no record of a chain was changed, removed or inserted.',
    replies: {
      200: named('VerifiedAuditChain', {
        chain: text,
        state: oneOf('intact', 'broken'),
        records: count,
        problems: Type.Array(named('AuditProblem', { number: count, problem: text })),
      }),
    },
  }),
  listAuditRecords: get('/audit/{chain}/records', {
    summary: 'List the records of a chain, newest first.',
    query: Type.Object({
      ...recordFilter,
      subject: optional(Type.String({ maxLength: 100, description: 'The tenant that acts of operators concern.' })),
    }),
    replies: { 200: named('AuditRecords', { records: Type.Array(RecordSchema), nextPageToken }) },
  }),
  listNodes: get('/nodes', {
    summary: 'List the nodes of the cell, with their last heartbeat.',
    replies: { 200: named('Nodes', { nodes: Type.Array(NodeSchema) }) },
  }),
  listCells: get('/cells', {
    summary: 'List the cells of the directory. Empty on a platform without cells.',
    replies: { 200: named('Cells', { cells: Type.Array(CellSchema) }) },
  }),
  listMoves: get('/moves', {
    summary: 'List moves of tenants between cells, the newest first: those under way, and the last 100 others.',
    replies: { 200: named('Moves', { moves: Type.Array(MoveSchema) }) },
  }),
  listQueues: get('/queues', {
    summary: 'List the queues of jobs by lane. Queues without jobs are not listed.',
    replies: { 200: named('Queues', { queues: Type.Array(QueueSchema) }) },
  }),
}
