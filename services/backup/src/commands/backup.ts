import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namesOf } from '@icosa/dialects/signed/resource-name'
import { type Database, virtualClock } from '@icosa/kernel'
import {
  type Arguments,
  print,
  remark,
  type ServiceArguments,
  type ServiceCommand,
  table,
  text,
  UsageError,
} from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import * as account from '../account/store.ts'
import { scheduleOf } from '../plans/document.ts'
import { nextTime } from '../plans/schedule.ts'
import { listByTypes } from '../resources/registry-store.ts'
import { openRestic } from '../restic/restic.ts'
import { selector } from '../selections/match.ts'
import { resolveSettings, type settings } from '../settings.ts'
import type { TagMap } from '../shapes/tags.ts'
import { repositoryOf } from '../vaults/repository.ts'
import { type PlanLine, planLines, type VaultLine, vaultLines } from './store.ts'

type Settings = ValuesOf<typeof settings>
type Given = Arguments & ServiceArguments<Settings>

export const backup: ServiceCommand<Settings> = {
  name: 'backup',
  usage: 'backup [--tenant NAME] | verify [VAULT] [--tenant NAME] | export-key VAULT --tenant NAME',
  summary:
    'Show vaults, plans, next runs and space; read every byte of a vault; print what plain restic needs to open one.',
  flags: { tenant: { type: 'string' }, json: { type: 'boolean' } },
  audited: { '': false, verify: false, 'export-key': ['tenant'] },
  async run(args) {
    const [word] = args.words
    const action = word === undefined ? show : actions[word]
    if (!action) throw new UsageError(`Usage: icosa ${backup.usage}`)
    await action(args)
  },
}

const actions: Readonly<Record<string, (args: Given) => Promise<void>>> = {
  async verify(args) {
    const { words, withDatabase, vaultOf } = args
    const restic = resticOf(args)
    await withDatabase(async (database) => {
      const cellVault = await vaultOf(database)
      const vaults = await selectVaults(args, await vaultLines(database, text(args.flags, 'tenant')), words[1])
      let damaged = 0
      for (const [index, line] of vaults.entries()) {
        remark(`${index + 1} of ${vaults.length}: reading every byte of ${line.tenant}/${line.name} ...`)
        const problem = await restic.verify(repositoryOf(line, await cellVault.of(line.tenant))).then(
          () => undefined,
          (error: Error) => error.message,
        )
        if (problem !== undefined) damaged++
        print(`${line.tenant}/${line.name}: ${problem ?? 'all data is intact'}`)
      }
      if (damaged > 0) process.exitCode = 1
    })
  },

  async 'export-key'(args) {
    const { words, withDatabase, vaultOf } = args
    if (words[1] === undefined) throw new UsageError('Which vault? icosa backup export-key VAULT --tenant NAME')
    const restic = resticOf(args)
    await withDatabase(async (database) => {
      const cellVault = await vaultOf(database)
      const [line, another] = await selectVaults(args, await vaultLines(database, text(args.flags, 'tenant')), words[1])
      if (!line || another) throw new UsageError('Several tenants have a vault of that name: add --tenant NAME.')
      const repository = repositoryOf(line, await cellVault.of(line.tenant))
      print(`export RESTIC_REPOSITORY='${restic.locationOf(repository)}'`)
      print(`export RESTIC_PASSWORD='${repository.password}'`)
      remark("'restic snapshots' lists the snapshots, and 'restic dump SNAPSHOT FILE' writes one to standard output.")
    })
  },
}

/** Vaults of this name, even if empty; without a name, all that have a repository. */
async function selectVaults(args: Given, lines: readonly VaultLine[], name: string | undefined): Promise<VaultLine[]> {
  const vaults = lines.filter((line) => name === undefined || line.name === name)
  if (vaults.length === 0)
    throw new UsageError(name === undefined ? 'There are no vaults.' : `There is no vault '${name}'.`)
  const sizes = await Promise.all(vaults.map((line) => sizeOf(folderOf(args, line))))
  return vaults.filter((_, index) => name !== undefined || sizes[index] !== 0)
}

async function show(args: Given): Promise<void> {
  const tenant = text(args.flags, 'tenant')
  const { vaults, plans, now } = await args.withDatabase(async (database) => ({
    vaults: await vaultLines(database, tenant),
    plans: await withCounts(args, database, await planLines(database, tenant)),
    now: (await virtualClock(database)).now(),
  }))
  const rows = await Promise.all(
    vaults.map(async (line) => ({ ...line, bytes: await sizeOf(folderOf(args, line)), password: undefined })),
  )
  const due = plans.flatMap((plan) =>
    plan.document.Rules.map((rule) => ({ plan, rule, next: nextTime(scheduleOf(rule), now) })),
  )
  if (args.flags.json === true)
    return print(JSON.stringify({ vaults: rows, rules: due.map(({ plan, rule, next }) => ({ ...plan, rule, next })) }))
  print(
    table(
      ['tenant', 'vault', 'points', 'space', 'lock', 'last backup', 'result'],
      rows.map((row) => [
        ...[row.tenant, row.name, String(row.points), inUnits(row.bytes), lockOf(row, now)],
        ...[timeOf(row.lastAt), row.lastState ?? 'none yet'],
      ]),
    ),
  )
  if (due.length === 0) return
  print()
  print(
    table(
      ['tenant', 'plan', 'rule', 'vault', 'selections', 'last run', 'next run'],
      due.map(({ plan, rule, next }) => [
        ...[plan.tenant, plan.document.BackupPlanName, rule.RuleName, rule.TargetBackupVaultName],
        ...[String(plan.selections.length), timeOf(plan.lastRunAt), timeOf(next ?? null)],
      ]),
    ),
  )
  const selections = plans.flatMap(({ selections, ...plan }) =>
    selections.map((selection) => ({ ...plan, ...selection })),
  )
  if (selections.length === 0) return
  print()
  print(
    table(
      ['tenant', 'plan', 'selection', 'now'],
      selections.map(({ tenant, document, name, resources }) => [
        ...[tenant, document.BackupPlanName, name, `selects ${resources} resource${resources === 1 ? '' : 's'}`],
      ]),
    ),
  )
}

/** Adds the number of resources that each selection currently matches. */
async function withCounts({ facts }: Given, database: Database, plans: readonly PlanLine[]) {
  const { region, backedUpTypes = [] } = facts
  const tenants = [...new Set(plans.map(({ tenant }) => tenant))]
  const candidates = new Map<string, { readonly names: readonly string[]; readonly tags: TagMap }[]>()
  for (const tenant of tenants) {
    const optedOut = await account.optedOut(database, tenant)
    const types = backedUpTypes.filter((type) => !optedOut.has(type))
    const resources = await listByTypes(database, tenant, types)
    candidates.set(
      tenant,
      resources.map((resource) => ({ names: namesOf({ tenant, region }, resource), tags: resource.tags })),
    )
  }
  return plans.map(({ tenant, selections, ...plan }) => ({
    ...plan,
    tenant,
    selections: selections.map((selection) => ({
      name: selection.SelectionName,
      resources: (candidates.get(tenant) ?? []).filter(selector({ tenant, region }, selection)).length,
    })),
  }))
}

const resticOf = ({ settings, facts }: Given) => openRestic(resolveSettings(settings, facts))
const folderOf = (args: Given, { id: path }: VaultLine) => resticOf(args).locationOf({ path })
const timeOf = (time: Date | null) => (time ? `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC` : '-')

function lockOf({ locked, lockAt }: Pick<VaultLine, 'locked' | 'lockAt'>, now: Date): string {
  if (!locked) return '-'
  if (lockAt === null) return 'governance'
  return lockAt <= now ? 'permanent' : `permanent from ${timeOf(lockAt)}`
}

function inUnits(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(bytes === 0 ? 0 : Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

/** Size of all files below a folder; 0 if it does not exist. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name))),
  )
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
