import { configurationStores } from '@icosa/configuration-stores'
import { connections, stores } from '@icosa/configuration-stores/contract'
import type { Operation } from '@icosa/contract'
import { jobScheduler } from '@icosa/job-scheduler'
import { collections, jobs } from '@icosa/job-scheduler/contract'
import type { Service } from '@icosa/kernel'
import { databases } from '@icosa/sql-databases/contract'
import { testService } from '@icosa/sql-databases/testing/app'
import { diagnostics } from '../../services/api-diagnostics/src/contract.ts'
import { apiDiagnostics } from '../../services/api-diagnostics/src/index.ts'

/** Resource that callers write, and read in either spelling. */
export interface Subject {
  readonly name: string
  readonly service: Service
  readonly version: string
  /** Both spellings, ours first. */
  readonly namespaces: readonly [string, string]
  readonly put: Operation
  readonly get: Operation
  readonly list: Operation
  readonly params: Readonly<Record<string, string>>
  /** Parameter that is the resource's name. */
  readonly own: string
  /** Valid bodies, into which a text is inserted. */
  readonly bodies: readonly object[]
  /** Resource that must exist before. */
  readonly first?: { readonly put: Operation; readonly body: object }
  /** Paths of texts that are returned unchanged. Others are refused, secret or normalized. */
  readonly kept: readonly string[]
}

const scope = { subscriptionId: 'mine', resourceGroupName: 'Vendor.Group' }
const side = { request: {}, response: {} }
const action = (type: string, rest: object) => ({ properties: { action: { type, ...rest } } })
const bus = { namespace: 'shop', message: 'm' }
const request = { uri: 'https://example.com/', method: 'POST' }

export const subjects: readonly Subject[] = [
  {
    name: 'diagnostics',
    service: apiDiagnostics,
    version: '2019-12-01-preview',
    namespaces: ['Vendor.ApiManagement', 'Microsoft.ApiManagement'],
    put: diagnostics.createOrUpdate,
    get: diagnostics.get,
    list: diagnostics.list,
    params: { ...scope, serviceName: 'anything' },
    own: 'diagnosticId',
    bodies: [{ properties: { loggerId: 'mine', frontend: side, backend: side } }],
    kept: ['properties/loggerId', 'properties/frontend/request/headers/0'],
  },
  {
    name: 'configuration stores',
    service: configurationStores(),
    version: '2019-11-01-preview',
    namespaces: ['Vendor.AppConfiguration', 'Microsoft.AppConfiguration'],
    put: stores.create,
    get: stores.get,
    list: stores.listByResourceGroup,
    params: scope,
    own: 'configStoreName',
    bodies: [
      { location: 'here', sku: { name: 'Standard' } },
      {
        location: 'here',
        sku: { name: 'Standard' },
        properties: { disableLocalAuth: true, softDeleteRetentionInDays: 7 },
      },
    ],
    kept: ['location', 'tags/*'],
  },
  {
    name: 'private endpoint connections',
    service: configurationStores(),
    version: '2019-11-01-preview',
    namespaces: ['Vendor.AppConfiguration', 'Microsoft.AppConfiguration'],
    put: connections.createOrUpdate,
    get: connections.get,
    list: connections.listByConfigurationStore,
    params: { ...scope, configStoreName: 'my-store' },
    own: 'privateEndpointConnectionName',
    bodies: [{ properties: { privateLinkServiceConnectionState: { status: 'Pending' } } }],
    first: { put: stores.create, body: { location: 'here', sku: { name: 'Standard' } } },
    kept: ['properties/privateEndpoint/id', 'properties/privateLinkServiceConnectionState/description'],
  },
  {
    name: 'SQL databases',
    service: testService(),
    version: '2017-10-01-preview',
    namespaces: ['Vendor.Sql', 'Microsoft.Sql'],
    put: databases.createOrUpdate,
    get: databases.get,
    list: databases.listByServer,
    params: { ...scope, serverName: 'eu' },
    own: 'databaseName',
    bodies: [{ location: 'here' }],
    kept: ['tags/*'],
  },
  {
    name: 'job collections',
    service: jobScheduler(),
    version: '2016-03-01',
    namespaces: ['Vendor.Scheduler', 'Microsoft.Scheduler'],
    put: collections.createOrUpdate,
    get: collections.get,
    list: collections.listByResourceGroup,
    params: scope,
    own: 'jobCollectionName',
    bodies: [{ location: 'here' }],
    kept: ['location', 'tags/*'],
  },
  {
    name: 'jobs',
    service: jobScheduler(),
    version: '2016-03-01',
    namespaces: ['Vendor.Scheduler', 'Microsoft.Scheduler'],
    put: jobs.createOrUpdate,
    get: jobs.get,
    list: jobs.list,
    params: { ...scope, jobCollectionName: 'nightly' },
    own: 'jobName',
    bodies: [
      action('Https', { request }),
      action('Https', { request: { ...request, authentication: { type: 'Basic', username: 'u', password: 'p' } } }),
      action('Https', { request, errorAction: { type: 'Https', request } }),
      action('StorageQueue', { queueMessage: { storageAccount: 'shop', queueName: 'orders', message: 'm' } }),
      action('ServiceBusQueue', { serviceBusQueueMessage: { ...bus, queueName: 'orders' } }),
      action('ServiceBusTopic', { serviceBusTopicMessage: { ...bus, topicPath: 'orders' } }),
    ],
    first: {
      put: collections.createOrUpdate,
      body: { location: 'here', properties: { sku: { name: 'P20Premium' } } },
    },
    kept: [
      'properties/action/request/body',
      'properties/action/request/headers/*',
      'properties/action/request/authentication/username',
      'properties/action/errorAction/request/body',
      'properties/action/queueMessage/message',
      'properties/action/serviceBusQueueMessage/message',
      'properties/action/serviceBusQueueMessage/brokeredMessageProperties/messageId',
      'properties/action/serviceBusTopicMessage/brokeredMessageProperties/label',
    ],
  },
]
