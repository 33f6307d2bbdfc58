import { serviceName } from '../names.ts'
import { invokerRoles } from './names.ts'

const permissions = (...operations: string[]) => operations.map((operation) => `${serviceName}:${operation}`)

const invoke = permissions('invokeFunction', 'testIamPermissions')
const view = permissions('getFunction', 'listRevisions', 'testIamPermissions')
const develop = permissions(
  ...['updateFunction', 'deleteFunction', 'moveTraffic', 'callFunction', 'generateDownloadUrl'],
  ...['listLogs', 'listFailedEvents'],
)
const administer = permissions('getIamPolicy', 'readIamPolicy', 'setIamPolicy')

/** Roles of the original, as permissions on the function that they are bound to. */
export const roles: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(invokerRoles.map((role) => [role, invoke])),
  'roles/cloudfunctions.viewer': view,
  'roles/cloudfunctions.developer': [...new Set([...view, ...invoke, ...develop])],
  'roles/cloudfunctions.admin': [...new Set([...view, ...invoke, ...develop, ...administer])],
}

/** Permissions that some role gives. */
export const boundPermissions: readonly string[] = [...new Set(Object.values(roles).flat())]
