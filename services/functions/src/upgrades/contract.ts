import { Type } from '@icosa/contract'
import { Operation } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

/** Operations of the original to upgrade first-generation functions; all functions here are second-generation. */
const verb = (name: string, summary: string, fields = {}) =>
  api.post(`${oneFunction}:${name}`, {
    summary,
    body: Type.Object(fields),
    replies: { 200: Operation },
    extension: true,
  })

export const upgrades = {
  setupFunctionUpgradeConfig: verb('setupFunctionUpgradeConfig', 'Start the upgrade of a function. Not supported.', {
    triggerServiceAccount: Type.Optional(Type.String({ maxLength: 1024 })),
  }),
  redirectFunctionUpgradeTraffic: verb(
    'redirectFunctionUpgradeTraffic',
    'Redirect callers to the upgraded function. Not supported.',
  ),
  rollbackFunctionUpgradeTraffic: verb(
    'rollbackFunctionUpgradeTraffic',
    'Redirect callers back to the original function. Not supported.',
  ),
  commitFunctionUpgrade: verb('commitFunctionUpgrade', 'Commit the upgrade of a function. Not supported.'),
  abortFunctionUpgrade: verb('abortFunctionUpgrade', 'Abort the upgrade of a function. Not supported.'),
}
