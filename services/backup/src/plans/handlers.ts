import { randomUUID } from 'node:crypto'
import {
  type Context,
  Failure,
  implement,
  invalid,
  lazyValidator,
  notFound,
  ok,
  type ReadingDb,
  type Resource,
} from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as selections from '../selections/store.ts'
import { checkedTags } from '../shapes/tags.ts'
import { seconds } from '../shapes/time.ts'
import { type BackupPlan, type BackupPlanInput, BackupPlanInputSchema, plans as contract } from './contract.ts'
import { checkVaults, demandPossible, documentOf, isSame } from './document.ts'
import type { PlanJobs } from './jobs.ts'
import * as store from './store.ts'
import { templates } from './templates.ts'
import { about, entryOf, identified, planArn, toMember } from './view.ts'

const problemsOf = lazyValidator(BackupPlanInputSchema, 'body')

export function plans(region: string, planJobs: PlanJobs): Resource<ServiceRuntime> {
  /** Finds an equal plan: a second one would back up everything twice. */
  async function findEqual({ db, caller }: Context, document: BackupPlan, creatorRequestId: string | null) {
    const candidates = await store.listByName(db, caller.tenant, document.BackupPlanName)
    const existing = candidates.find((row) => isSame(row.document, document))
    if (!existing || (creatorRequestId !== null && existing.creatorRequestId === creatorRequestId)) return existing
    const members = { Arn: planArn(region, existing), CreatorRequestId: existing.creatorRequestId ?? '' }
    throw new Failure('alreadyExists', `A plan '${document.BackupPlanName}' with these rules already exists.`, {
      members,
    })
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    async CreateBackupPlan({ body }, context) {
      const { db, caller, clock, runtime, jobs, resources } = context
      const { tenant } = caller
      const creatorRequestId = body.CreatorRequestId ?? null
      const document = documentOf(body.BackupPlan)
      demandPossible(document, runtime)
      const tags = checkedTags(body.BackupPlanTags, 'body/BackupPlanTags')
      const existing = await findEqual(context, document, creatorRequestId)
      if (existing) return ok(identified(region, existing))
      await checkVaults(db, { tenant, region }, document)
      const at = clock.now()
      const planId = randomUUID()
      await store.insert(db, { tenant, planId, versionId: randomUUID(), document, creatorRequestId, tags, at })
      const row = (await store.find(db, tenant, planId)) ?? notFound('backup plan', planId)
      await resources.put(entryOf(region, row))
      await planJobs.schedule(jobs, row, at)
      return ok(identified(region, row))
    },

    async UpdateBackupPlan({ params, body }, context) {
      const { db, caller, clock, runtime, jobs, resources } = context
      const { tenant } = caller
      const before = await live(store.lock(db, tenant, params.backupPlanId), params.backupPlanId)
      const document = documentOf(body.BackupPlan, before.document)
      demandPossible(document, runtime)
      await checkVaults(db, { tenant, region }, document)
      const at = clock.now()
      await store.addVersion(db, { tenant, planId: before.planId, versionId: randomUUID(), document, at })
      const row = await live(store.find(db, tenant, before.planId), before.planId)
      await resources.put(entryOf(region, row))
      await planJobs.schedule(jobs, row, at)
      return ok(identified(region, row))
    },

    async DeleteBackupPlan({ params }, { db, caller, clock, resources }) {
      const row = await live(store.lock(db, caller.tenant, params.backupPlanId), params.backupPlanId)
      if (await selections.hasAny(db, caller.tenant, row.planId))
        throw new Failure('invalid', `The plan '${row.document.BackupPlanName}' has selections: delete them first.`, {
          code: invalidRequest,
        })
      const at = clock.now()
      await store.remove(db, row, at)
      await resources.remove(planArn(region, row))
      const { CreationDate: _, ...ids } = identified(region, row)
      return ok({ ...ids, DeletionDate: seconds(at) })
    },

    async GetBackupPlan({ params, query }, { db, caller }) {
      const row = await versionOf(db, caller.tenant, params.backupPlanId, query.versionId)
      return ok({ ...identified(region, row), ...about(row), BackupPlan: row.document })
    },

    async ListBackupPlans({ query }, { db, caller }) {
      const { maxResults: limit, nextToken: token, includeDeleted = false } = query
      const { items, next } = await store.list(db, caller.tenant, includeDeleted, { limit, token })
      return ok({ BackupPlansList: items.map((row) => toMember(region, row)) }, { next })
    },

    async ListBackupPlanVersions({ params, query }, { db, caller }) {
      await versionOf(db, caller.tenant, params.backupPlanId)
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.listVersions(db, caller.tenant, params.backupPlanId, { limit, token })
      return ok({ BackupPlanVersionsList: items.map((row) => toMember(region, row)) }, { next })
    },

    async ExportBackupPlanTemplate({ params }, { db, caller }) {
      const { document } = await versionOf(db, caller.tenant, params.backupPlanId)
      const Rules = document.Rules.map(({ RuleId: _, ...rule }) => rule)
      return ok({ BackupPlanTemplateJson: JSON.stringify({ ...document, Rules }) })
    },

    async GetBackupPlanFromJSON({ body }) {
      return ok({ BackupPlan: documentOf(readTemplate(body.BackupPlanTemplateJson)) })
    },

    async GetBackupPlanFromTemplate({ params }) {
      const template = templates.find(({ id }) => id === params.templateId) ?? notFound('template', params.templateId)
      return ok({ BackupPlanDocument: documentOf(template.plan) })
    },

    async ListBackupPlanTemplates() {
      return ok({
        BackupPlanTemplatesList: templates.map(({ id, name }) => ({
          BackupPlanTemplateId: id,
          BackupPlanTemplateName: name,
        })),
      })
    },
  })
}

/** Waits for a plan and rejects a deleted one. */
async function live(plan: Promise<store.PlanRow | undefined>, id: string): Promise<store.PlanRow> {
  const row = await plan
  return row?.deletedAt === null ? row : notFound('backup plan', id)
}

async function versionOf(db: ReadingDb, tenant: string, planId: string, id?: string): Promise<store.PlanRow> {
  const version = id === undefined ? store.find(db, tenant, planId) : store.findVersion(db, tenant, planId, id)
  return (await version) ?? notFound('backup plan', planId)
}

function readTemplate(text: string): BackupPlanInput {
  const at = 'body/BackupPlanTemplateJson'
  let plan: unknown
  try {
    plan = JSON.parse(text)
  } catch {
    invalid([{ at, message: 'is not JSON' }])
  }
  const problems = problemsOf(plan)
  return problems.length > 0 ? invalid(problems) : (plan as BackupPlanInput)
}
