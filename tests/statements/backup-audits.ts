import { type BackupCalls, part } from './backup-calls.ts'
import { isRecent, isText } from './fields.ts'

const invalid = 'InvalidParameterValueException'
const notFound = 'ResourceNotFoundException'
const exists = 'AlreadyExistsException'

export async function frameworks({ alike, call, fields, holds, refused, succeeds, unbuilt }: BackupCalls) {
  const at = '/audit/frameworks'
  const FrameworkControls = [{ ControlName: 'BACKUP_RECOVERY_POINT_ENCRYPTED' }]
  const framework = { FrameworkName: 'rules', FrameworkControls }
  const described = { FrameworkDescription: 'd', IdempotencyToken: 't1' }
  const created = await call('POST', at, { ...framework, ...described, FrameworkTags: { a: 'b' } })
  fields('a framework that is created', created.json, { FrameworkName: 'rules', FrameworkArn: isText })
  const { json } = await call('GET', `${at}/rules`)
  fields('a framework', json, {
    ...{ ...framework, ...described, FrameworkArn: created.json.FrameworkArn },
    ...{ CreationTime: isRecent, DeploymentStatus: 'COMPLETED', FrameworkStatus: 'ACTIVE' },
  })
  refused('a framework that exists is not created', exists, await call('POST', at, framework))
  const retried = await call('POST', at, { ...framework, ...described })
  alike('a retry with its IdempotencyToken is answered alike', created, retried)
  refused('a framework needs FrameworkName', invalid, await call('POST', at, { FrameworkControls }))
  refused('a framework needs FrameworkControls', invalid, await call('POST', at, { FrameworkName: 'empty' }))
  const odd = await call('POST', at, { FrameworkName: 'odd', FrameworkControls: [{ ControlName: 'BACKUP_IS_NICE' }] })
  unbuilt('a control that nothing evaluates is not supported', odd, 'BACKUP_IS_NICE')
  const { json: tagged } = await call('GET', `/tags/${part(created.json.FrameworkArn)}/`)
  holds('a framework has its tags', tagged.Tags?.a === 'b', tagged)
  await call('PUT', `${at}/rules`, { FrameworkDescription: 'e' })
  const { Frameworks } = (await call('GET', at)).json
  const isListed = Frameworks.length === 1 && Frameworks[0].FrameworkDescription === 'e'
  holds('frameworks are changed and listed', isListed && Frameworks[0].NumberOfControls === 1, Frameworks)
  succeeds('a framework is deleted', await call('DELETE', `${at}/rules`))
  refused('a deleted framework is not found', notFound, await call('GET', `${at}/rules`))
  refused('a missing framework is not deleted', notFound, await call('DELETE', `${at}/rules`))
}

export async function reports({ alike, call, ended, fields, holds, refused, succeeds, unbuilt }: BackupCalls) {
  const at = '/audit/report-plans'
  const ReportDeliveryChannel = { S3BucketName: 'bucket', Formats: ['CSV', 'JSON'] }
  const ReportSetting = { ReportTemplate: 'BACKUP_JOB_REPORT' }
  const plan = { ReportPlanName: 'daily', ReportDeliveryChannel, ReportSetting }
  const described = { ReportPlanDescription: 'd', IdempotencyToken: 't2', ReportPlanTags: { a: 'b' } }
  const created = await call('POST', at, { ...plan, ...described })
  fields('a report plan that is created', created.json, {
    ...{ ReportPlanName: 'daily', ReportPlanArn: isText, CreationTime: isRecent },
  })
  refused('a report plan that exists is not created', exists, await call('POST', at, plan))
  const retried = await call('POST', at, { ...plan, ...described })
  alike('a retry with its IdempotencyToken is answered alike', created, retried)
  for (const name of Object.keys(plan))
    refused(`a report plan needs ${name}`, invalid, await call('POST', at, { ...plan, [name]: undefined }))
  const odd = { ...plan, ReportPlanName: 'odd', ReportSetting: { ReportTemplate: 'NICE_REPORT' } }
  refused('a template that is none is refused', invalid, await call('POST', at, odd))
  const scoped = { ...plan, ReportPlanName: 'wide', ReportSetting: { ...ReportSetting, Accounts: ['1'] } }
  unbuilt('Accounts of a report plan is not supported', await call('POST', at, scoped), 'Accounts')
  const { json } = await call('GET', `${at}/daily`)
  fields('a report plan', json.ReportPlan, { ...plan, ReportPlanDescription: 'd', CreationTime: isRecent })
  const { json: tagged } = await call('GET', `/tags/${part(created.json.ReportPlanArn)}/`)
  holds('a report plan has its tags', tagged.Tags?.a === 'b', tagged)

  const started = await call('POST', '/audit/report-jobs/daily', {})
  const jobAt = `/audit/report-jobs/${started.json.ReportJobId}`
  const job = await ended(jobAt, ({ ReportJob }) => ReportJob)
  fields('a report job', job, {
    ...{ ReportJobId: started.json.ReportJobId, ReportPlanArn: created.json.ReportPlanArn, Status: 'COMPLETED' },
    ...{ ReportTemplate: 'BACKUP_JOB_REPORT', CreationTime: isRecent, CompletionTime: isRecent },
  })
  const keys: string[] = job?.ReportDestination?.S3Keys ?? []
  holds('a report is written in every format', keys.map((key) => key.split('.').at(-1)).join() === 'csv,json', keys)
  const { ReportJobs } = (await call('GET', '/audit/report-jobs?ReportPlanName=daily&Status=COMPLETED')).json
  holds('report jobs are listed by plan and status', ReportJobs.length === 1, ReportJobs)
  succeeds('a report plan is deleted', await call('DELETE', `${at}/daily`))
  refused('a deleted report plan is not found', notFound, await call('GET', `${at}/daily`))
  refused('a missing report plan is not deleted', notFound, await call('DELETE', `${at}/daily`))
}
