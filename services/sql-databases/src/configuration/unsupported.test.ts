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

test.each([
  ['longTermRetentionBackupResourceId', 'x'],
  ['recoverableDatabaseId', 'x'],
  ['recoveryServicesRecoveryPointId', 'x'],
  ['restorableDroppedDatabaseId', 'x'],
  ['restorePointInTime', '2026-01-01T00:00:00Z'],
  ['sourceDatabaseDeletionDate', '2026-01-01T00:00:00Z'],
])('rejects %s, which belongs to an unsupported createMode', (name, value) => {
  expect(refusal({ [name]: value })).toMatch(new RegExp(`${name}.* is not supported.*backup service`))
})

test.each([
  ['autoPauseDelay', -1, 60],
  ['readReplicaCount', 0, 1],
  ['readScale', 'Disabled', 'Enabled'],
  ['zoneRedundant', false, true],
  ['catalogCollation', 'DATABASE_DEFAULT', 'SQL_Latin1_General_CP1_CI_AS'],
  ['createMode', 'Default', 'Secondary'],
  ['minCapacity', undefined, 0.5],
])('accepts the default of %s, %j, and rejects %j', (name, defaultValue, unsupportedValue) => {
  expect(refusal({ [name]: defaultValue })).toBe('accepted')
  expect(refusal({ [name]: unsupportedValue })).toMatch(new RegExp(`${name}.* is not supported`))
})
