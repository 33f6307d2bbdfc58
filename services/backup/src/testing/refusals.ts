import type { Calls } from './app.ts'
import { backupPlan, report } from './documents.ts'
import { thingType } from './things.ts'

const planWith = (calls: Calls, more: object, rule: object = {}) => {
  const plan = backupPlan('refused')
  return calls.CreateBackupPlan({
    body: { BackupPlan: { ...plan, Rules: [{ ...plan.Rules[0], ...rule }], ...more } } as never,
  })
}
const reportWith = (calls: Calls, setting: object) => {
  const { ReportDeliveryChannel, ReportSetting } = report('c')
  return calls.CreateReportPlan({
    body: { ReportPlanName: 'refused', ReportDeliveryChannel, ReportSetting: { ...ReportSetting, ...setting } },
  })
}
/** Requests that are rejected with 501, by field. */
export const refusals: Readonly<Record<string, (calls: Calls) => Promise<unknown>>> = {
  EncryptionKeyArn: (calls) =>
    calls.CreateBackupVault({
      params: { backupVaultName: 'refused' },
      body: { EncryptionKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/1' },
    }),
  AdvancedBackupSettings: (calls) =>
    planWith(calls, { AdvancedBackupSettings: [{ ResourceType: 'EC2', BackupOptions: { WindowsVSS: 'enabled' } }] }),
  Accounts: (calls) => reportWith(calls, { Accounts: ['123456789012'] }),
  OrganizationUnits: (calls) => reportWith(calls, { OrganizationUnits: ['ou-1'] }),
  Regions: (calls) => reportWith(calls, { Regions: ['eu-west-1'] }),
  ResourceTypeManagementPreference: (calls) =>
    calls.UpdateRegionSettings({ body: { ResourceTypeManagementPreference: { [thingType]: true } } }),
}
