import { Type } from '@icosa/contract'
import { Operation } from '@icosa/dialects/google'
import { api, oneFunction } from '../api/contract.ts'

/** What the original does to take a function of its first generation to the second, which all are here. */
const verb = (name: string, summary: string, fields = {}) =>
  api.post(`${oneFunction}:${name}`, {
    summary,
    body: Type.Object(fields),
    replies: { 200: Operation },
    extension: true,
  })

export const upgrades = {
  setupFunctionUpgradeConfig: verb('setupFunctionUpgradeConfig', 'Begin the upgrade of a function. Not built.', {
    triggerServiceAccount: Type.Optional(Type.String({ maxLength: 1024 })),
  }),
  redirectFunctionUpgradeTraffic: verb(
    'redirectFunctionUpgradeTraffic',
    'Send callers to the upgraded function. Not built.',
  ),
  rollbackFunctionUpgradeTraffic: verb(
    'rollbackFunctionUpgradeTraffic',
    'Send callers back to the function before its upgrade. Not built.',
  ),
  commitFunctionUpgrade: verb('commitFunctionUpgrade', 'Keep the upgraded function alone. Not built.'),
  abortFunctionUpgrade: verb('abortFunctionUpgrade', 'Drop the upgrade of a function. Not built.'),
}
