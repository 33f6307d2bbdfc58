import type { BackupPlanInput } from './contract.ts'

interface Template {
  readonly id: string
  readonly name: string
  readonly plan: BackupPlanInput
}

const rule = (RuleName: string, ScheduleExpression: string, DeleteAfterDays: number) => ({
  RuleName,
  TargetBackupVaultName: 'Default',
  ScheduleExpression,
  StartWindowMinutes: 480,
  CompletionWindowMinutes: 10_080,
  Lifecycle: { DeleteAfterDays },
})
const daily = (days: number) => rule('DailyBackups', 'cron(0 5 ? * * *)', days)
const weekly = (days: number) => rule('WeeklyBackups', 'cron(0 5 ? * 7 *)', days)
const monthly = (days: number) => rule('MonthlyBackups', 'cron(0 5 1 * ? *)', days)

const template = (id: string, name: string, Rules: BackupPlanInput['Rules']): Template => ({
  id,
  name,
  plan: { BackupPlanName: name, Rules },
})

export const templates: readonly Template[] = [
  template('daily-35', 'Daily-35day-Retention', [daily(35)]),
  template('daily-monthly-1y', 'Daily-Monthly-1yr-Retention', [daily(35), monthly(365)]),
  template('daily-weekly-monthly-5y', 'Daily-Weekly-Monthly-5yr-Retention', [daily(35), weekly(90), monthly(1_825)]),
  template('daily-weekly-monthly-7y', 'Daily-Weekly-Monthly-7yr-Retention', [daily(35), weekly(90), monthly(2_555)]),
]
