import { keyedDialect } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { type Blobs, type Database, Failure, operatorService, type Service, serviceWithRuntime } from '@icosa/kernel'
import { keyHeader } from '../names.ts'
import { auditDays } from '../retention.ts'
import type { ServiceTenancy } from '../tenants/delete.ts'
import { changesHandlers } from './changes/handlers.ts'
import { countBytes, deleteTenant } from './changes/jobs.ts'
import { operatorHandlers } from './handlers.ts'
import type { CellDirectory, OperatorRuntime } from './runtime.ts'
import { views } from './views.ts'

export type { Cell, Move } from './contract.ts'
export type { CellDirectory } from './runtime.ts'
export { nodes } from './store.ts'

export interface OperatorOptions {
  /** Age at which records of the audit log are deleted, if not the default. */
  readonly auditDays?: number | undefined
  /** None on a platform without cells. */
  readonly directory?: CellDirectory | undefined
  /** What all services keep of tenants outside their rows and blobs, also those that no node runs. */
  readonly tenancies?: ((database: Database, blobs: Blobs) => Promise<readonly ServiceTenancy[]>) | undefined
}

const unknownTenancies = async () => {
  throw new Failure('preconditionFailed', 'This node does not know what services keep of tenants, so it deletes none.')
}

const noDirectory: CellDirectory = { cells: async () => [], moves: async () => [] }

/** The cell as its operators see and change it: tenants, keys, limits, the audit log, nodes and queues. */
export const operatorWith = (options: OperatorOptions = {}): Service =>
  serviceWithRuntime<OperatorRuntime>({
    name: operatorService,
    title: 'Operation of the cell',
    moves: 'withRows',
    views,
    apis: [
      {
        dialect: keyedServer({ name: operatorService, headers: [keyHeader], operations: keyedDialect(keyHeader) }),
        resources: { operator: operatorHandlers, changes: changesHandlers },
      },
    ],
    jobs: [countBytes, deleteTenant],
    start: ({ database, cellVault, blobs }) => ({
      ...{ database, cellVault, blobs, auditDays: options.auditDays ?? auditDays },
      directory: options.directory ?? noDirectory,
      tenancies: () => (options.tenancies ?? unknownTenancies)(database, blobs),
    }),
  })
