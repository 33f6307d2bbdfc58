import { arnOfResource, canonicalName, namesOf } from '@icosa/dialects/signed/resource-name'
import type { ReadingDb } from '@icosa/kernel'
import { scheduleOf } from '../plans/document.ts'
import { nextTime } from '../plans/schedule.ts'
import * as plans from '../plans/store.ts'
import { planArn } from '../plans/view.ts'
import { listByTypes } from '../resources/registry-store.ts'
import { selector } from '../selections/match.ts'
import * as selections from '../selections/store.ts'
import { type Owner, ownArn } from '../shapes/arns.ts'
import { dayMs } from '../shapes/time.ts'
import { isDenied } from '../vaults/policy.ts'
import * as vaults from '../vaults/store.ts'
import { vaultArn } from '../vaults/view.ts'
import type { FrameworkControl } from './contract.ts'
import * as store from './store.ts'

/** Result of a control for one resource. */
export interface Evaluation {
  readonly resource: string
  readonly isCompliant: boolean
}

export interface Evaluating {
  readonly db: ReadingDb
  readonly owner: Owner
  readonly now: Date
  readonly types: readonly string[]
}

type Control = (world: Evaluating, parameter: (name: string, otherwise: string) => string) => Promise<Evaluation[]>

const maxListed = 1_000
const unitDays: Readonly<Record<string, number>> = { hours: 1 / 24, days: 1 }

const resourcesOf = async ({ db, owner, types }: Evaluating) =>
  (await listByTypes(db, owner.tenant, types)).map((resource) => ({
    ...resource,
    arn: arnOfResource(owner, resource),
    names: namesOf(owner, resource),
  }))

/** The newest plans and vaults, up to a thousand of each. */
const plansOf = async ({ db, owner }: Evaluating) =>
  (await plans.list(db, owner.tenant, false, { limit: maxListed, token: undefined })).items
const vaultsOf = async ({ db, owner }: Evaluating) =>
  (await vaults.list(db, owner.tenant, undefined, { limit: maxListed, token: undefined })).items

async function checkCoverage(world: Evaluating, isRight: (row: store.Coverage) => boolean): Promise<Evaluation[]> {
  const coverages = new Map((await store.coverage(world.db, world.owner.tenant)).map((row) => [row.key, row]))
  return (await resourcesOf(world)).map(({ arn }) => {
    const coverage = coverages.get(arn.toLowerCase())
    return { resource: arn, isCompliant: coverage !== undefined && isRight(coverage) }
  })
}

/** The controls that are evaluated, by the original's names. */
export const controls: Readonly<Record<string, Control>> = {
  async BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN(world) {
    const { db, owner } = world
    const all = await Promise.all((await plansOf(world)).map(({ planId }) => selections.all(db, owner.tenant, planId)))
    const selectors = all.flat().map(({ document }) => selector(owner, document))
    return (await resourcesOf(world)).map((resource) => ({
      resource: resource.arn,
      isCompliant: selectors.some((isSelected) => isSelected(resource)),
    }))
  },

  async BACKUP_PLAN_MIN_FREQUENCY_AND_MIN_RETENTION_CHECK(world, parameter) {
    const everyDays =
      Number(parameter('requiredFrequencyValue', '1')) * (unitDays[parameter('requiredFrequencyUnit', 'days')] ?? 1)
    const days = Number(parameter('requiredRetentionDays', '35'))
    return (await plansOf(world)).map((plan) => ({
      resource: planArn(world.owner.region, plan),
      isCompliant: plan.document.Rules.some((rule) => {
        const keepDays = rule.Lifecycle?.DeleteAfterDays ?? Number.POSITIVE_INFINITY
        const first = nextTime(scheduleOf(rule), world.now)
        const second = first && nextTime(scheduleOf(rule), first)
        return keepDays >= days && first && second ? second.getTime() - first.getTime() <= everyDays * dayMs : false
      }),
    }))
  },

  async BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK({ db, owner }, parameter) {
    const short = await store.retainedTooBriefly(db, owner.tenant, Number(parameter('requiredRetentionDays', '35')))
    return short.map((id) => ({ resource: ownArn(owner, 'recovery-point', id), isCompliant: false }))
  },

  /** Every repository is encrypted: there is no other kind. */
  async BACKUP_RECOVERY_POINT_ENCRYPTED() {
    return []
  },

  async BACKUP_RECOVERY_POINT_MANUAL_DELETION_DISABLED(world) {
    const { tenant, region } = world.owner
    return (await vaultsOf(world)).map((vault) => ({
      resource: vaultArn(region, tenant, vault.name),
      isCompliant: vault.locked || isDenied(vault, { tenant }, 'DeleteRecoveryPoint'),
    }))
  },

  BACKUP_RESOURCES_PROTECTED_BY_BACKUP_VAULT_LOCK: (world) =>
    checkCoverage(world, ({ isInLockedVault }) => isInLockedVault),

  BACKUP_LAST_RECOVERY_POINT_CREATED(world, parameter) {
    const days =
      Number(parameter('recoveryPointAgeValue', '1')) * (unitDays[parameter('recoveryPointAgeUnit', 'days')] ?? 1)
    return checkCoverage(world, ({ lastAt }) => world.now.getTime() - lastAt.getTime() <= days * dayMs)
  },
}

/** Evaluates a control for every resource in its scope. */
export async function evaluate(world: Evaluating, control: FrameworkControl): Promise<Evaluation[]> {
  const parameters = control.ControlInputParameters ?? []
  const parameter = (name: string, otherwise: string) =>
    parameters.find(({ ParameterName }) => ParameterName === name)?.ParameterValue ?? otherwise
  const scoped = control.ControlScope?.ComplianceResourceTypes ?? []
  const types = scoped.length > 0 ? world.types.filter((type) => scoped.includes(type)) : world.types
  const all = (await controls[control.ControlName]?.({ ...world, types }, parameter)) ?? []
  const ids = control.ControlScope?.ComplianceResourceIds?.map((id) => canonicalName(world.owner, id)) ?? []
  const isNamed = (arn: string) => ids.some((id) => id !== undefined && (arn === id || arn.endsWith(`:${id}`)))
  return ids.length === 0 ? all : all.filter(({ resource }) => isNamed(resource.toLowerCase()))
}
