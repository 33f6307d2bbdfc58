import { keyedServer } from '@icosa/dialects/keyed/server'
import { operatorService, type Service, serviceWithRuntime } from '@icosa/kernel'
import { keyHeader } from '../names.ts'
import { auditDays } from '../retention.ts'
import { type OperatorRuntime, operatorHandlers } from './handlers.ts'
import { views } from './views.ts'

export interface OperatorOptions {
  /** Age at which records of the audit log are deleted, if not the default. */
  readonly auditDays?: number | undefined
}

/** The cell as its operators see it: tenants, keys, the audit log, nodes and queues. */
export const operatorWith = (options: OperatorOptions = {}): Service =>
  serviceWithRuntime<OperatorRuntime>({
    name: operatorService,
    title: 'Operation of the cell',
    views,
    apis: [
      {
        dialect: keyedServer({ name: operatorService, headers: [keyHeader] }),
        resources: { operator: operatorHandlers },
      },
    ],
    start: ({ database, vault }) => ({ database, vault, auditDays: options.auditDays ?? auditDays }),
  })
