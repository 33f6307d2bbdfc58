import { implement, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { searchContextOf } from '../contributions/search-context.ts'
import { contributor } from '../dialect/caller.ts'
import { linksOf } from '../media/links.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { questionOf } from '../search/question.ts'
import { ensureUser } from '../users/store.ts'
import { exportsOf as contract } from './contract.ts'
import { writeExport } from './jobs.ts'
import { exportOptionsOf } from './request.ts'
import * as store from './store.ts'

const linkMs = 3_600_000

export const exportPath = (tenant: string, id: string): string =>
  `/exports/${encodeURIComponent(tenant)}/${id}/export.zip`

async function toExport({ caller, clock, tenantVault, runtime }: ReadingContext<ServiceRuntime>, row: store.ExportRow) {
  const { id, owner, startedAt, finishedAt, expiresAt, progress, step, status, error } = row
  const expires = Math.min(clock.now().getTime() + linkMs, expiresAt?.getTime() ?? 0)
  const isAvailable = status === 'done' && expires > clock.now().getTime()
  const link = isAvailable && linksOf(await tenantVault()).sign(exportPath(caller.tenant, id), new Date(expires))
  return {
    id,
    owner,
    started: startedAt.toISOString(),
    ...(finishedAt && { finished: finishedAt.toISOString() }),
    progress,
    ...(step !== null && { step: error === null ? step : `${step}: ${error}` }),
    ...(link && { downloadUrl: `${runtime.publicUrl}${link}` }),
  }
}

export const exportsOf = implement<typeof contract, ServiceRuntime>(contract, {
  async createExport({ query }, context) {
    const { db, jobs, caller, clock } = context
    const { tenant, user, isTenant } = contributor(caller)
    const options = exportOptionsOf(query)
    questionOf(options.filter) // refuses invalid filters
    await ensureUser(db, tenant, user, clock.now())
    const row = await store.insert(db, tenant, user, { ...options, viewer: { user, isTenant } }, clock.now())
    await jobs.enqueue(writeExport, { id: row.id }, { key: row.id })
    return { status: 202, body: await toExport(context, row) }
  },

  async summarizeExport({ query }, context) {
    const summary = await store.summarize(context.db, questionOf(query), searchContextOf(context))
    return ok({ ...summary, estimatedSize: formatSize(summary) })
  },

  async getExport({ params: { id } }, context) {
    const { tenant, user, isTenant } = contributor(context.caller)
    const row = (await store.find(context.db, tenant, id)) ?? notFound('export', id)
    if (!isTenant && row.owner !== user) notFound('export', id)
    return ok(await toExport(context, row))
  },
})

const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']
/** Estimate for the text and its zip headers. */
const bytesOfContribution = 1_000

function formatSize({ contributions, totalMediaSize }: store.Summary): string {
  const bytes = totalMediaSize + contributions * bytesOfContribution
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const number = bytes / 1_000 ** power
  return `${power === 0 || number >= 100 ? Math.round(number) : number.toFixed(1)} ${units[power]}`
}
