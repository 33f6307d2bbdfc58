import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { invalid, type ReadingDb } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { checkContinuous, demandContinuous } from '../recovery-points/continuous.ts'
import { checkedLifecycle } from '../recovery-points/lifecycle.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { copyTarget, type Owner } from '../shapes/arns.ts'
import { checkedTags } from '../shapes/tags.ts'
import { unsupported } from '../unsupported.ts'
import * as vaults from '../vaults/store.ts'
import type { BackupPlan, BackupPlanInput } from './contract.ts'
import { defaultExpression, nextTime } from './schedule.ts'

/** The stored form of a plan. A rule keeps its id from version to version, by its name. */
export function documentOf(input: BackupPlanInput, before?: BackupPlan): BackupPlan {
  if (input.AdvancedBackupSettings?.length) notSupported(unsupported.backupOptions, 'AdvancedBackupSettings')
  const names = input.Rules.map(({ RuleName }) => RuleName)
  const at = 'body/BackupPlan/Rules'
  if (new Set(names).size < names.length) invalid([{ at, message: 'has two rules of the same name' }])
  const idOf = (name: string) => before?.Rules.find(({ RuleName }) => RuleName === name)?.RuleId ?? randomUUID()
  const Rules = input.Rules.map((rule, index) => {
    checkRule(rule, `${at}/${index}`)
    return { ...rule, RuleId: idOf(rule.RuleName) }
  })
  return { BackupPlanName: input.BackupPlanName, Rules }
}

function checkRule(rule: BackupPlanInput['Rules'][number], at: string): void {
  if (rule.EnableContinuousBackup) checkContinuous(rule.Lifecycle, `${at}/Lifecycle`)
  nextTime(scheduleOf(rule), new Date(0))
  checkedLifecycle(rule.Lifecycle, `${at}/Lifecycle`)
  checkedTags(rule.RecoveryPointTags, `${at}/RecoveryPointTags`)
  const { StartWindowMinutes, CompletionWindowMinutes } = rule
  if (
    StartWindowMinutes !== undefined &&
    CompletionWindowMinutes !== undefined &&
    CompletionWindowMinutes < StartWindowMinutes
  )
    invalid([{ at: `${at}/CompletionWindowMinutes`, message: 'must not be less than StartWindowMinutes' }])
}

export const scheduleOf = (rule: BackupPlanInput['Rules'][number]) => ({
  expression: rule.ScheduleExpression ?? defaultExpression,
  timezone: rule.ScheduleExpressionTimezone ?? 'Etc/UTC',
})

/** Rejects rules for vaults that do not exist. */
export async function checkVaults(db: ReadingDb, owner: Owner, { Rules }: BackupPlan): Promise<void> {
  for (const [index, { TargetBackupVaultName, CopyActions = [] }] of Rules.entries()) {
    const copyTargets = CopyActions.map((action) => copyTarget(owner, action.DestinationBackupVaultArn))
    for (const name of [TargetBackupVaultName, ...copyTargets])
      if (!(await vaults.find(db, owner.tenant, name)))
        invalid([{ at: `body/BackupPlan/Rules/${index}`, message: `names the vault '${name}', which does not exist` }])
  }
}

/** Rejects rules that this node cannot carry out. */
export function demandPossible({ Rules }: BackupPlan, runtime: ServiceRuntime): void {
  if (Rules.some(({ EnableContinuousBackup }) => EnableContinuousBackup)) demandContinuous(runtime)
}

/** Whether two plans are equal but for the ids of their rules. */
export const isSame = (a: BackupPlan, b: BackupPlan) => isDeepStrictEqual(withoutIds(a), withoutIds(b))

const withoutIds = ({ BackupPlanName, Rules }: BackupPlan) => ({
  BackupPlanName,
  Rules: Rules.map(({ RuleId: _, ...rule }) => rule),
})
