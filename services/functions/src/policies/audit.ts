import type { Platform, RequestObserver } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { membersOf } from './access.ts'
import { type Policies, placeOfPath, policyKey } from './grants.ts'
import type { AuditConfig, PolicyRow } from './store.ts'

export type LogType = NonNullable<AuditConfig['auditLogConfigs'][number]['logType']>

/** Reads of the API, by the kind of their log. Changes are always in the audit log. */
const logTypes: Readonly<Record<string, LogType>> = {
  ...{ getFunction: 'ADMIN_READ', getIamPolicy: 'ADMIN_READ', readIamPolicy: 'ADMIN_READ' },
  ...{ listRevisions: 'ADMIN_READ', testIamPermissions: 'ADMIN_READ' },
  ...{ generateDownloadUrl: 'DATA_READ', listLogs: 'DATA_READ', listFailedEvents: 'DATA_READ' },
}

/** Whether a policy demands that an access of a caller is logged. */
export function isLogged({ auditConfigs = [] }: PolicyRow['policy'], logType: LogType, caller: string): boolean {
  const configs = auditConfigs
    .flatMap(({ auditLogConfigs }) => auditLogConfigs)
    .filter((log) => log.logType === logType)
  const exempted = configs.flatMap(({ exemptedMembers = [] }) => exemptedMembers)
  return configs.length > 0 && !membersOf(caller).some((member) => exempted.includes(member))
}

/** Records the reads that the policy of their function asks for. */
export function observeReads(
  { recordAccess, log }: Pick<Platform, 'recordAccess' | 'log'>,
  { policies }: { readonly policies: Policies },
): RequestObserver {
  return (tenant, service, exchange) => {
    if (service !== serviceName) return
    const { operation, path, caller, clientIp: address, status, requestId } = exchange()
    const logType = Object.hasOwn(logTypes, operation) ? logTypes[operation] : undefined
    const place = logType && placeOfPath(path)
    // Refusals are always in the audit log.
    if (!place || status === 403) return
    const record = async () => {
      const policy = await policies.get(policyKey(tenant, place))
      if (policy && isLogged(policy, logType, caller))
        recordAccess({ tenant, caller, address, service, operation, resource: path, status, requestId })
    }
    record().catch((err) => log.error({ err }, 'access log of functions'))
  }
}
