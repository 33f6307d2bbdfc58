import { type BackupCalls, backupCalls, IamRoleArn, part } from './backup-calls.ts'
import { isRecent, isText } from './fields.ts'
import { type Answer, statementsOf, until } from './statements.ts'

const stores = '/subscriptions/mine/resourceGroups/web/providers/Vendor.AppConfiguration/configurationStores'
const storeType = 'Vendor.AppConfiguration/configurationStores'
const missingId = '11111111-1111-4111-8111-111111111111'
const invalid = 'InvalidParameterValueException'
const notFound = 'ResourceNotFoundException'
const exists = 'AlreadyExistsException'
const denied = 'InvalidRequestException'

statementsOf('K plans', ['backup', 'configuration-stores'], async (node) => {
  const calls = backupCalls(node)
  await calls.vault('nightly')
  const configure = node.caller('configuration-stores')
  const version = 'api-version=2019-11-01-preview'
  for (const [name, tags] of Object.entries({ first: { keep: 'yes' }, second: {}, third: {} })) {
    await configure('PUT', `${stores}/${name}?${version}`, { location: 'here', sku: { name: 'Standard' }, tags })
    await until(async () => {
      const { json } = await configure('GET', `${stores}/${name}?${version}`)
      return json?.properties?.provisioningState === 'Succeeded'
    })
  }
  await plans(calls)
  await schedules(calls)
  await selections(calls)
  await restoreTestingPlans(calls)
  await due(calls) // last, since it moves the clock
})

const rule = { RuleName: 'daily', TargetBackupVaultName: 'nightly' }
const planOf = (BackupPlanName: string, more: object = {}) => ({ BackupPlanName, Rules: [{ ...rule, ...more }] })

async function plans({ alike, call, fields, holds, refused, succeeds, unbuilt }: BackupCalls) {
  const at = '/backup/plans/'
  const windows = { StartWindowMinutes: 60, CompletionWindowMinutes: 120, Lifecycle: { DeleteAfterDays: 30 } }
  const BackupPlan = planOf('all', { ScheduleExpression: 'cron(0 5 ? * * *)', ...windows })
  const body = { BackupPlan, BackupPlanTags: { a: 'b' }, CreatorRequestId: 'c1' }
  const created = await call('PUT', at, body)
  const { BackupPlanId, BackupPlanArn, VersionId } = created.json
  const isArn = (value: unknown) => String(value).endsWith(`:backup-plan:${BackupPlanId}`)
  const result = { BackupPlanId: isText, BackupPlanArn: isArn, VersionId: isText, CreationDate: isRecent }
  fields('a plan that is created', created.json, result)
  const again = await call('PUT', at, { BackupPlan })
  refused('a plan that exists is not created', exists, again)
  fields('the refusal of a plan that exists', again.json, { Arn: BackupPlanArn, CreatorRequestId: 'c1' })
  const retried = await call('PUT', at, body)
  alike('a retry with its CreatorRequestId is answered alike', created, retried)
  const { json: tagged } = await call('GET', `/tags/${part(BackupPlanArn)}/`)
  holds('a plan has the tags with which it was created', tagged.Tags?.a === 'b', tagged)
  const advanced = [{ ResourceType: 'EC2', BackupOptions: { WindowsVSS: 'enabled' } }]
  const windowsPlan = { BackupPlan: { ...planOf('advanced'), AdvancedBackupSettings: advanced } }
  unbuilt(
    'AdvancedBackupSettings of a plan is not supported',
    await call('PUT', at, windowsPlan),
    'AdvancedBackupSettings',
  )

  const put = (plan: object) => call('PUT', at, { BackupPlan: plan })
  refused('a plan is required', invalid, await call('PUT', at, {}))
  refused('a plan has rules', invalid, await put({ BackupPlanName: 'bare' }))
  refused('a plan has a name', invalid, await put({ Rules: [rule] }))
  const elsewhere = { TargetBackupVaultName: 'nowhere' }
  refused('a rule names a vault that exists', invalid, await put(planOf('x', elsewhere)))
  refused('two rules have two names', invalid, await put({ BackupPlanName: 'x', Rules: [rule, rule] }))
  const short = { MoveToColdStorageAfterDays: 30, DeleteAfterDays: 31 }
  refused('what is cold stays so for 90 days', invalid, await put(planOf('x', { Lifecycle: short })))
  const hasty = { StartWindowMinutes: 60, CompletionWindowMinutes: 30 }
  refused('a plan ends after it has started', invalid, await put(planOf('x', hasty)))

  const own = `${at}${BackupPlanId}`
  const { json: read } = await call('GET', `${own}/`)
  fields('a plan', read, { ...result, VersionId, CreatorRequestId: 'c1' })
  const [first] = read.BackupPlan.Rules
  fields('a rule of a plan', first, { ...BackupPlan.Rules[0], RuleId: isText })
  const changed = await call('POST', own, { BackupPlan: planOf('all', { Lifecycle: { DeleteAfterDays: 31 } }) })
  fields('a plan that is changed', changed.json, { BackupPlanId, VersionId: (id: unknown) => id !== VersionId })
  const { BackupPlanVersionsList: versions } = (await call('GET', `${own}/versions/`)).json
  holds('a changed plan has two versions', versions.length === 2, versions)
  const current = (await call('GET', `${own}/`)).json.BackupPlan.Rules[0]
  const former = (await call('GET', `${own}/?versionId=${VersionId}`)).json.BackupPlan.Rules[0]
  const days = [current, former].map(({ Lifecycle }) => Lifecycle.DeleteAfterDays)
  holds('each version is read by its VersionId', days.join() === '31,30' && former.RuleId === current.RuleId, days)

  const selection = { SelectionName: 's', IamRoleArn, Resources: ['*'] }
  const { json: selected } = await call('PUT', `${own}/selections/`, { BackupSelection: selection })
  refused('a plan with selections is not deleted', denied, await call('DELETE', own))
  succeeds('a selection is deleted', await call('DELETE', `${own}/selections/${selected.SelectionId}`))
  const removed = await call('DELETE', own)
  const VersionIdNow = changed.json.VersionId
  const deletion = { BackupPlanId, BackupPlanArn, VersionId: VersionIdNow, DeletionDate: isRecent }
  fields('a plan that is deleted', removed.json, deletion)
  const old = await call('GET', `${own}/?versionId=${VersionId}`)
  holds('deleting removes the current version only', old.json?.VersionId === VersionId, old.text)
  refused('a deleted plan is not deleted again', notFound, await call('DELETE', own))
  const listed = async (query: string) => (await call('GET', `${at}${query}`)).json.BackupPlansList.length
  const counts = [await listed(''), await listed('?includeDeleted=true')]
  holds('a deleted plan is listed only if asked for', counts.join() === '0,1', counts)

  const { BackupPlanTemplatesList: templates } = (await call('GET', '/backup/template/plans')).json
  const template = await call('GET', `/backup/template/plans/${templates[0].BackupPlanTemplateId}/toPlan`)
  const BackupPlanTemplateJson = JSON.stringify(template.json.BackupPlanDocument)
  const parsed = await call('POST', '/backup/template/json/toPlan', { BackupPlanTemplateJson })
  const name = parsed.json?.BackupPlan?.BackupPlanName
  holds('a template is read as a plan', name === templates[0].BackupPlanTemplateName, parsed.text)
}

async function schedules({ call, refused, succeeds }: BackupCalls) {
  const put = (ScheduleExpression: string, more: object = {}) =>
    call('PUT', '/backup/plans/', { BackupPlan: planOf('scheduled', { ScheduleExpression, ...more }) })
  for (const expression of [
    ...['cron(0 0/1 * * ? *)', 'cron(0 */1 * * ? *)', 'cron(0/30 * * * ? *)', 'cron(0 5 ? * MON-FRI *)'],
    ...['cron(0 5 L * ? *)', 'cron(0 5 ? * 6#3 *)', 'cron(15 10 ? * 6L 2026-2030)', 'rate(1 hour)'],
    ...['cron(0 5 1W * ? *)', 'cron(0 0/12 * * ? *)', 'rate(12 hours)', 'rate(7 days)'],
  ]) {
    const created = await put(expression)
    succeeds(`${expression} is a schedule`, created)
    await call('DELETE', `/backup/plans/${created.json?.BackupPlanId}`)
  }
  for (const expression of ['every day', 'cron(0 5 * *)', 'cron(99 5 ? * * *)', 'rate(0 hours)'])
    refused(`${expression} is no schedule`, invalid, await put(expression))
  const nowhere = { ScheduleExpressionTimezone: 'Europe/Nowhere' }
  refused('a time zone is one', invalid, await put('cron(0 5 ? * * *)', nowhere))
}

async function selections({ alike, call, fields, holds, refused, succeeds }: BackupCalls) {
  const { json: plan } = await call('PUT', '/backup/plans/', { BackupPlan: planOf('selecting') })
  const at = `/backup/plans/${plan.BackupPlanId}/selections/`
  const BackupSelection = { SelectionName: 'some', IamRoleArn, Resources: [`${stores}/first`] }
  const body = { BackupSelection, CreatorRequestId: 'c1' }
  const created = await call('PUT', at, body)
  const result = { SelectionId: isText, BackupPlanId: plan.BackupPlanId, CreationDate: isRecent }
  fields('a selection that is created', created.json, result)
  const retried = await call('PUT', at, body)
  alike('a retry with its CreatorRequestId is answered alike', created, retried)
  refused('a selection that exists is not created', exists, await call('PUT', at, { BackupSelection }))
  const own = `${at}${created.json.SelectionId}`
  fields('a selection', (await call('GET', own)).json, { ...result, BackupSelection, CreatorRequestId: 'c1' })
  const { BackupSelectionsList: list } = (await call('GET', at)).json
  holds('selections are listed', list.length === 1 && list[0].SelectionName === 'some', list)
  const put = (more: object, plan = at) => call('PUT', plan, { BackupSelection: { ...BackupSelection, ...more } })
  refused('a selection is required', invalid, await call('PUT', at, {}))
  refused('a selection needs IamRoleArn', invalid, await put({ IamRoleArn: undefined }))
  refused('a selection selects something', invalid, await put({ SelectionName: 'none', Resources: [] }))
  refused('a text that names no resource is refused', invalid, await put({ Resources: ['first'] }))
  const foreignArn = `arn:aws:configuration-stores:us-east-1:999999999999:${stores.slice(1)}/first`
  refused('a resource of another account is refused', invalid, await put({ Resources: [foreignArn] }))
  refused('a selection is of a plan', notFound, await put({}, `/backup/plans/${missingId}/selections/`))
  succeeds('a selection is deleted', await call('DELETE', own))
  refused('a deleted selection is not found', notFound, await call('GET', own))
  await call('DELETE', `/backup/plans/${plan.BackupPlanId}`)
}

const RecoveryPointSelection = {
  ...{ Algorithm: 'LATEST_WITHIN_WINDOW', IncludeVaults: ['*'], RecoveryPointTypes: ['SNAPSHOT'] },
  SelectionWindowDays: 30,
}
const testingPlan = {
  ...{ RestoreTestingPlanName: 'proof', ScheduleExpression: 'rate(2 hours)', RecoveryPointSelection },
  StartWindowHours: 1,
}
const testing = '/restore-testing/plans'
const ofType = { ProtectedResourceType: storeType, IamRoleArn }

async function restoreTestingPlans({ alike, call, fields, holds, refused, succeeds, unbuilt }: BackupCalls) {
  const select = (more: object) =>
    call('PUT', `${testing}/proof/selections`, {
      RestoreTestingSelection: { RestoreTestingSelectionName: 'all', ...ofType, ...more },
    })
  refused('a plan comes before its selections', notFound, await select({ ProtectedResourceArns: ['*'] }))
  const body = { RestoreTestingPlan: testingPlan, CreatorRequestId: 'c1', Tags: { a: 'b' } }
  const created = await call('PUT', testing, body)
  const result = { CreationTime: isRecent, RestoreTestingPlanArn: isText, RestoreTestingPlanName: 'proof' }
  fields('a restore testing plan that is created', created.json, result)
  const retried = await call('PUT', testing, body)
  alike('a retry with its CreatorRequestId is answered alike', created, retried)
  refused('one that exists is not created', exists, await call('PUT', testing, { RestoreTestingPlan: testingPlan }))
  refused('a restore testing plan is required', invalid, await call('PUT', testing, {}))
  const { json: tagged } = await call('GET', `/tags/${part(created.json.RestoreTestingPlanArn)}/`)
  holds('it has its tags', tagged.Tags?.a === 'b', tagged)
  fields('a restore testing plan', (await call('GET', `${testing}/proof`)).json.RestoreTestingPlan, {
    ...{ ...testingPlan, ...result, CreatorRequestId: 'c1' },
  })
  const continuous = { ...RecoveryPointSelection, RecoveryPointTypes: ['CONTINUOUS'] }
  const unsupported = { ...testingPlan, RestoreTestingPlanName: 'odd', RecoveryPointSelection: continuous }
  const refusal = await call('PUT', testing, { RestoreTestingPlan: unsupported })
  unbuilt('CONTINUOUS of RecoveryPointTypes is not supported', refusal, 'CONTINUOUS')

  const condition = { StringEquals: [{ Key: 'aws:ResourceTag/keep', Value: 'yes' }] }
  refused('a selection has ProtectedResourceArns or ProtectedResourceConditions', invalid, await select({}))
  const both = { ProtectedResourceArns: ['*'], ProtectedResourceConditions: condition }
  refused('a selection has not both of them', invalid, await select(both))
  const arns = (count: number) => Array.from({ length: count }, (_, number) => `${stores}/${number}`)
  refused('31 ProtectedResourceArns are refused', invalid, await select({ ProtectedResourceArns: arns(31) }))
  const mixed = { ProtectedResourceArns: ['*', `${stores}/first`] }
  refused('a type is not combined with specific ARNs', invalid, await select(mixed))
  const other = { ProtectedResourceType: 'EC2', ProtectedResourceArns: ['*'] }
  refused('ProtectedResourceType is one that is backed up', invalid, await select(other))
  const vault = (await call('GET', '/backup-vaults/nightly')).json.BackupVaultArn
  refused('ARNs are of the type', invalid, await select({ ProtectedResourceArns: [vault] }))
  const thirty = await select({ RestoreTestingSelectionName: 'thirty', ProtectedResourceArns: arns(30) })
  succeeds('30 ProtectedResourceArns are taken', thirty)
  const selected = await select({ ProtectedResourceConditions: condition, ValidationWindowHours: 1 })
  fields('a selection that is created', selected.json, { ...result, RestoreTestingSelectionName: 'all' })
  const shown = (await call('GET', `${testing}/proof/selections/all`)).json.RestoreTestingSelection
  fields('a selection', shown, { ...ofType, ProtectedResourceConditions: condition, ValidationWindowHours: 1 })
  const { RestoreTestingSelections: list } = (await call('GET', `${testing}/proof/selections`)).json
  holds('selections are listed', list.length === 2, list)
  refused('a restore testing plan with selections is not deleted', denied, await call('DELETE', `${testing}/proof`))
  succeeds('a selection is deleted', await call('DELETE', `${testing}/proof/selections/thirty`))
  refused('a deleted selection is not found', notFound, await call('GET', `${testing}/proof/selections/thirty`))
}

interface Job {
  readonly ResourceName: string
  readonly CreatedBy?: { readonly BackupPlanId: string }
}

async function due(calls: BackupCalls) {
  const { backUp, call, fields, holds, instance, refused, restore, succeeds } = calls
  const planFor = async (name: string, BackupSelection: object, more: object = {}) => {
    const BackupPlan = planOf(name, { ScheduleExpression: 'rate(1 hour)', ...more })
    const { json } = await call('PUT', '/backup/plans/', { BackupPlan })
    const at = `/backup/plans/${json.BackupPlanId}/selections/`
    await call('PUT', at, { BackupSelection: { SelectionName: 's', IamRoleArn, ...BackupSelection } })
    return json.BackupPlanId as string
  }
  const own = await backUp('nightly', `${stores}/first`, { Lifecycle: { DeleteAfterDays: 5 } })
  const byTag = { ListOfTags: [{ ConditionType: 'STRINGEQUALS', ConditionKey: 'keep', ConditionValue: 'yes' }] }
  const plans = {
    'by its path': [await planFor('path', { Resources: [`${stores}/second`] }), 'second'],
    'by its ARN': [await planFor('arn', { Resources: [own.ResourceArn] }), 'first'],
    'by a pattern of ARNs': [
      await planFor('pattern', { Resources: [own.ResourceArn.replace(/first$/, '*')] }),
      'first,second,third',
    ],
    'by a tag': [await planFor('tag', byTag), 'first'],
    'unless it is one of NotResources': [
      await planFor('but', { Resources: ['*'], NotResources: [`${stores}/second`] }),
      'first,third',
    ],
  } as const
  await instance.app.clock.advance('61m')
  const jobsOf = async (plan: string): Promise<Job[]> => {
    const all = (await call('GET', '/backup-jobs/?state=COMPLETED&maxResults=100')).json.BackupJobs as Job[]
    return all.filter(({ CreatedBy }) => CreatedBy?.BackupPlanId === plan)
  }
  const namesOf = async (plan: string) => (await jobsOf(plan)).map(({ ResourceName }) => ResourceName).sort()
  for (const [how, [plan, names]] of Object.entries(plans)) {
    const isDone = await until(async () => (await namesOf(plan)).join() === names)
    holds(`a plan backs up what is selected ${how}`, isDone, await namesOf(plan))
  }
  const [planId] = plans['by its ARN']
  const [job] = await jobsOf(planId)
  fields('CreatedBy of a job of a plan', job?.CreatedBy, {
    ...{ BackupPlanId: planId, BackupPlanArn: isText, BackupPlanVersion: isText, BackupRuleId: isText },
  })

  const count = async () => (await call('GET', '/backup-jobs/?maxResults=100')).json.BackupJobs.length
  const before = await count()
  await call('PUT', '/account-settings', { ResourceTypeOptInPreference: { [storeType]: false } })
  await instance.app.clock.advance('61m')
  const testedAt = `/restore-jobs/?restoreTestingPlanArn=${part((await testingArn(call)) ?? '')}`
  const tested = await until(async () => {
    const { RestoreJobs } = (await call('GET', testedAt)).json
    return RestoreJobs.find(({ ValidationStatus }: { ValidationStatus: string }) => ValidationStatus === 'VALIDATING')
  })
  holds('a restore testing plan restores when it is due', tested?.Status === 'COMPLETED', tested)
  const after = await count()
  holds('no plan backs up a type that is opted out', after === before, [before, after])
  const verdictAt = `/restore-jobs/${tested?.RestoreJobId}`
  const unplanned = await restore(own.RecoveryPointArn, { configStoreName: 'fourth' })
  const verdict = { ValidationStatus: 'SUCCESSFUL', ValidationStatusMessage: 'as it was' }
  const denial = await call('PUT', `/restore-jobs/${unplanned.RestoreJobId}/validations`, verdict)
  refused('only a restore of such a plan gets a verdict', denied, denial)
  await call('PUT', `${verdictAt}/validations`, verdict)
  fields('a restore with a verdict', (await call('GET', verdictAt)).json, verdict)
  const isRemoved = await until(async () => (await call('GET', verdictAt)).json.DeletionStatus === 'SUCCESSFUL')
  holds('after its verdict the restored copy is deleted', isRemoved)
  await call('DELETE', `${testing}/proof/selections/all`)
  succeeds('a restore testing plan without selections is deleted', await call('DELETE', `${testing}/proof`))
  refused('a deleted restore testing plan is not found', notFound, await call('GET', `${testing}/proof`))

  const pointAt = calls.pointAt('nightly', own.RecoveryPointArn)
  const isThere = (await call('GET', pointAt)).status === 200
  await instance.app.clock.advance('6d')
  const isGone = await until(async () => (await call('GET', pointAt)).status === 404)
  holds('a recovery point goes after DeleteAfterDays', isThere && isGone)
}

async function testingArn(call: (method: string, path: string) => Promise<Answer>): Promise<string | undefined> {
  return (await call('GET', `${testing}/proof`)).json.RestoreTestingPlan?.RestoreTestingPlanArn
}
