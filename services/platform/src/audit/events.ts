import type { PlatformEvent } from '@icosa/kernel'
import type { AuditRow } from './chain.ts'

export const auditEventType = 'google.cloud.audit.log.v1.written'

/** An operator's act is an event of the tenant that it concerns. */
export const concernedTenant = ({ tenant, subject }: Pick<AuditRow, 'tenant' | 'subject'>) => tenant || subject

const source = '//cloudaudit.googleapis.com/logs/activity'

/** Events with the attributes and the data of the original's audit log. */
export const auditEvents = (rows: readonly AuditRow[]): PlatformEvent[] =>
  rows.map((row) => {
    const { service: serviceName, operation: methodName, resource: resourceName, at, status } = row
    return {
      tenant: concernedTenant(row),
      type: auditEventType,
      key: resourceName,
      at,
      attributes: {
        ...{ source, subject: `${serviceName}${resourceName.startsWith('/') ? '' : '/'}${resourceName}` },
        ...{ servicename: serviceName, methodname: methodName, resourcename: resourceName },
      },
      data: {
        logName: 'activity',
        insertId: `${row.tenant}-${row.number}`,
        timestamp: at.toISOString(),
        severity: status < 400 ? 'NOTICE' : 'ERROR',
        protoPayload: {
          '@type': 'type.googleapis.com/google.cloud.audit.AuditLog',
          ...{ serviceName, methodName, resourceName },
          status: { code: status },
          authenticationInfo: { principalEmail: row.caller },
          requestMetadata: { callerIp: row.address },
        },
      },
    }
  })
