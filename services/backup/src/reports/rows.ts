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

/** A line of a report, by column name. */
export type ReportRow = Readonly<Record<string, unknown>>

const page = 1_000

/** Reads all pages of a list. */
async function readAll<Row>(read: (token: string | undefined) => Promise<{ items: Row[]; next?: string | undefined }>) {
  const rows: Row[] = []
  let token: string | undefined
  do {
    const { items, next } = await read(token)
    rows.push(...items)
    token = next
  } while (token !== undefined)
  return rows
}

/** The lines of a report: the jobs of the last day, or the current results of frameworks' controls. */
export async function reportRows(world: Evaluating, setting: ReportSetting): Promise<ReportRow[]> {
  const { db, owner, now } = world
  const { tenant, region } = owner
  const filter = { createdAfter: new Date(now.getTime() - dayMs).toISOString() }
  switch (setting.ReportTemplate) {
    case 'BACKUP_JOB_REPORT': {
      const rows = await readAll((token) => backupJobs.list(db, tenant, filter, { limit: page, token }))
      return rows.map((row) => toBackupJob(region, row))
    }
    case 'COPY_JOB_REPORT': {
      const rows = await readAll((token) => copyJobs.list(db, tenant, filter, { limit: page, token }))
      return rows.map((row) => toCopyJob(region, row))
    }
    case 'RESTORE_JOB_REPORT': {
      const rows = await readAll((token) => restoreJobs.list(db, tenant, filter, { limit: page, token }))
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
  const all = await readAll((token) => frameworks.list(db, owner.tenant, { limit: page, token }))
  const isRequested = (arn: string) => FrameworkArns.length === 0 || FrameworkArns.includes(arn)
  const rows: ReportRow[] = []
  for (const framework of all.filter((row) => isRequested(frameworkArn(owner.region, row))))
    for (const control of framework.controls) {
      const evaluations = await evaluate(world, control)
      const labels = { 'Framework Name': framework.name, 'Control Name': control.ControlName }
      const broken = evaluations.filter(({ isCompliant }) => !isCompliant)
      if (ReportTemplate === 'CONTROL_COMPLIANCE_REPORT')
        rows.push({
          ...labels,
          'Control Compliance Status': broken.length === 0 ? 'Compliant' : 'Non-compliant',
          'Resources Compliant': evaluations.length - broken.length,
          'Resources Non-Compliant': broken.length,
        })
      else
        for (const { resource, isCompliant } of evaluations)
          rows.push({
            ...labels,
            'Resource ID': resource,
            'Resource Compliance Status': isCompliant ? 'Compliant' : 'Non-compliant',
          })
    }
  return rows
}

/** CSV with a header line; values with special characters are quoted. */
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
