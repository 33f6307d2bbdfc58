import * as backupJobs from '../backup-jobs/store.ts'
import { toBackupJob } from '../backup-jobs/view.ts'
import * as copyJobs from '../copy-jobs/store.ts'
import { toCopyJob } from '../copy-jobs/view.ts'
import { type Evaluating, evaluate } from '../frameworks/controls.ts'
import { frameworkArn } from '../frameworks/handlers.ts'
import * as frameworks from '../frameworks/store.ts'
import * as restoreJobs from '../restore-jobs/store.ts'
import { toRestoreJob } from '../restore-jobs/view.ts'
import { dayMs } from '../shapes/time.ts'
import type { ReportSetting } from './contract.ts'

/** A line of a report, by the names of its columns. */
export type ReportRow = Readonly<Record<string, unknown>>

const page = 1_000

/** Of lists that are read page by page, everything. */
async function all<Row>(read: (token: string | undefined) => Promise<{ items: Row[]; next?: string | undefined }>) {
  const rows: Row[] = []
  let token: string | undefined
  do {
    const { items, next } = await read(token)
    rows.push(...items)
    token = next
  } while (token !== undefined)
  return rows
}

/** What a report says: the jobs of the last day, or what the controls of frameworks find now. */
export async function reportRows(world: Evaluating, setting: ReportSetting): Promise<ReportRow[]> {
  const { db, owner, now } = world
  const { tenant, region } = owner
  const filter = { createdAfter: new Date(now.getTime() - dayMs).toISOString() }
  switch (setting.ReportTemplate) {
    case 'BACKUP_JOB_REPORT': {
      const rows = await all((token) => backupJobs.list(db, tenant, filter, { limit: page, token }))
      return rows.map((row) => toBackupJob(region, row))
    }
    case 'COPY_JOB_REPORT': {
      const rows = await all((token) => copyJobs.list(db, tenant, filter, { limit: page, token }))
      return rows.map((row) => toCopyJob(region, row))
    }
    case 'RESTORE_JOB_REPORT': {
      const rows = await all((token) => restoreJobs.list(db, tenant, filter, { limit: page, token }))
      return rows.map((row) => toRestoreJob(region, row))
    }
    default:
      return compliance(world, setting)
  }
}

async function compliance(
  world: Evaluating,
  { ReportTemplate, FrameworkArns = [] }: ReportSetting,
): Promise<ReportRow[]> {
  const { db, owner } = world
  const found = await all((token) => frameworks.list(db, owner.tenant, { limit: page, token }))
  const isMeant = (arn: string) => FrameworkArns.length === 0 || FrameworkArns.includes(arn)
  const rows: ReportRow[] = []
  for (const framework of found.filter((one) => isMeant(frameworkArn(owner.region, one))))
    for (const control of framework.controls) {
      const evaluations = await evaluate(world, control)
      const of = { 'Framework Name': framework.name, 'Control Name': control.ControlName }
      const broken = evaluations.filter(({ isCompliant }) => !isCompliant)
      if (ReportTemplate === 'CONTROL_COMPLIANCE_REPORT')
        rows.push({
          ...of,
          'Control Compliance Status': broken.length === 0 ? 'Compliant' : 'Non-compliant',
          'Resources Compliant': evaluations.length - broken.length,
          'Resources Non-Compliant': broken.length,
        })
      else
        for (const { resource, isCompliant } of evaluations)
          rows.push({
            ...of,
            'Resource ID': resource,
            'Resource Compliance Status': isCompliant ? 'Compliant' : 'Non-compliant',
          })
    }
  return rows
}

/** With a line of names first; every text that could be taken for anything else is quoted. */
export function csvOf(rows: readonly ReportRow[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown) => {
    const text = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
}
