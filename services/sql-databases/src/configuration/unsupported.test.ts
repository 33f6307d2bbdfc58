import { expect, test } from 'vitest'
import type { PropertiesInput } from '../databases/contract.ts'
import { refuseUnsupported } from './unsupported.ts'

const refusal = (properties: PropertiesInput) => {
  try {
    refuseUnsupported(properties)
  } catch (error) {
    return String(error)
  }
  return 'accepted'
}

test.each(['longTermRetentionBackupResourceId', 'recoveryServicesRecoveryPointId'])(
  'rejects %s, which belongs to an unsupported createMode',
  (name) => {
    expect(refusal({ [name]: 'x' })).toMatch(new RegExp(`${name}.* is not supported.*backup service`))
  },
)

test.each(['Copy', 'PointInTimeRestore', 'Restore', 'Recovery'] as const)('accepts createMode %s', (createMode) => {
  expect(refusal({ createMode })).toBe('accepted')
})

test.each([
  ['autoPauseDelay', -1, 60],
  ['readReplicaCount', 0, 1],
  ['readScale', 'Disabled', 'Enabled'],
  ['zoneRedundant', false, true],
  ['catalogCollation', 'DATABASE_DEFAULT', 'SQL_Latin1_General_CP1_CI_AS'],
  ['createMode', 'Default', 'Secondary'],
  ['createMode', 'Default', 'OnlineSecondary'],
  ['createMode', 'Default', 'RestoreLongTermRetentionBackup'],
  ['createMode', 'Default', 'RestoreExternalBackup'],
  ['minCapacity', undefined, 0.5],
])('accepts the default of %s, %j, and rejects %j', (name, defaultValue, unsupportedValue) => {
  expect(refusal({ [name]: defaultValue })).toBe('accepted')
  expect(refusal({ [name]: unsupportedValue })).toMatch(new RegExp(`${name}.* is not supported`))
})
