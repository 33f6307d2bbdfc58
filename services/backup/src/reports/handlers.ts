import { randomUUID } from 'node:crypto'
import { once } from '@icosa/dialects/signed/idempotency'
import { Failure, implement, notFound, ok, type ReadingDb } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { ownArn } from '../shapes/arns.ts'
import { checkedTags } from '../shapes/tags.ts'
import { seconds, timed } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { reports as contract, type ReportJob, type ReportPlan, type ReportSetting } from './contract.ts'
import type { ReportJobs } from './jobs.ts'
import * as store from './store.ts'

export function reports(region: string, { start }: ReportJobs) {
  const arnOf = (tenant: string, name: string, id: string) => ownArn({ tenant, region }, 'report-plan', `${name}-${id}`)
  const result = ({ tenant, name, id, createdAt }: store.ReportPlanRow) => ({
    ReportPlanName: name,
    ReportPlanArn: arnOf(tenant, name, id),
    CreationTime: seconds(createdAt),
  })
  const toPlan = (row: store.ReportPlanRow): ReportPlan => ({
    ...result(row),
    ...(row.description !== null && { ReportPlanDescription: row.description }),
    ReportSetting: row.setting,
    ReportDeliveryChannel: row.channel,
    DeploymentStatus: 'COMPLETED',
    ...timed('LastAttemptedExecutionTime', row.attemptedAt),
    ...timed('LastSuccessfulExecutionTime', row.succeededAt),
  })
  const toJob = (row: store.ReportJobRow): ReportJob => ({
    ReportJobId: row.id,
    ReportPlanArn: arnOf(row.tenant, row.plan, row.planId),
    ReportTemplate: row.template,
    CreationTime: seconds(row.createdAt),
    ...timed('CompletionTime', row.completedAt),
    Status: row.status,
    ...(row.message !== null && { StatusMessage: row.message }),
    ReportDestination: { S3BucketName: row.bucket, S3Keys: [...row.keys] },
  })

  return implement(contract, {
    async CreateReportPlan({ body }, context) {
      const { db, caller, clock } = context
      const { IdempotencyToken: token, ...content } = body
      const { ReportPlanName: name, ReportSetting: setting, ReportDeliveryChannel: channel } = body
      checkSetting(setting)
      const tags = checkedTags(body.ReportPlanTags, 'body/ReportPlanTags')
      const description = body.ReportPlanDescription ?? null
      return ok(
        await once(context, { operation: 'backup:CreateReportPlan', token, content }, async () => {
          const ids = { tenant: caller.tenant, name, id: randomUUID(), createdAt: clock.now() }
          const row = await store.insert(db, { ...ids, description, channel, setting, tags })
          if (row) return result(row)
          throw new Failure('alreadyExists', `A report plan '${name}' already exists: choose another name.`)
        }),
      )
    },

    async DescribeReportPlan({ params }, { db, caller }) {
      return ok({ ReportPlan: toPlan(await getPlan(db, caller.tenant, params.reportPlanName)) })
    },

    async UpdateReportPlan({ params, body }, { db, caller }) {
      const row = await getPlan(db, caller.tenant, params.reportPlanName)
      const { ReportSetting: setting = row.setting, ReportDeliveryChannel: channel = row.channel } = body
      checkSetting(setting)
      await store.update(db, { ...row, setting, channel, description: body.ReportPlanDescription ?? row.description })
      return ok(result(row))
    },

    async DeleteReportPlan({ params }, { db, caller }) {
      await store.remove(db, await getPlan(db, caller.tenant, params.reportPlanName))
      return ok({})
    },

    async ListReportPlans({ query }, { db, caller }) {
      const { MaxResults: limit, NextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, { limit, token })
      return ok({ ReportPlans: items.map(toPlan) }, { next })
    },

    async StartReportJob({ params, body }, context) {
      const { db, caller, clock, jobs } = context
      const plan = await getPlan(db, caller.tenant, params.reportPlanName)
      const request = { operation: 'backup:StartReportJob', token: body.IdempotencyToken, content: plan.id }
      return ok({ ReportJobId: await once(context, request, () => start(db, jobs, plan, clock.now())) })
    },

    async DescribeReportJob({ params }, { db, caller }) {
      const id = params.reportJobId
      return ok({ ReportJob: toJob((await store.findJob(db, caller.tenant, id)) ?? notFound('report job', id)) })
    },

    async ListReportJobs({ query }, { db, caller }) {
      const { MaxResults: limit, NextToken: token, ReportPlanName: plan, Status: status } = query
      const filter = { plan, status, before: query.CreationBefore, after: query.CreationAfter }
      const { items, next } = await store.listJobs(db, caller.tenant, filter, { limit, token })
      return ok({ ReportJobs: items.map(toJob) }, { next })
    },
  })
}

async function getPlan(db: ReadingDb, tenant: string, name: string): Promise<store.ReportPlanRow> {
  return (await store.find(db, tenant, name)) ?? notFound('report plan', name)
}

function checkSetting({ Accounts = [], OrganizationUnits = [], Regions = [] }: ReportSetting): void {
  if (Accounts.length + OrganizationUnits.length + Regions.length > 0)
    notSupported(unsupported.reportScopes, 'Accounts, OrganizationUnits and Regions of a report')
}
