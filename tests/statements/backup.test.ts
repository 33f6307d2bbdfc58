import { type Signer, signedFetch } from '@icosa/dialects/signed/fetch'
import { frameworks, reports } from './backup-audits.ts'
import { type BackupCalls, backupCalls, part } from './backup-calls.ts'
import { isRecent, isText } from './fields.ts'
import { statementsOf } from './statements.ts'

const day = 86_400
const missingId = '11111111-1111-4111-8111-111111111111'
const missingPoint = `arn:aws:backup:us-east-1:123456789012:recovery-point:${missingId}`
const invalid = 'InvalidParameterValueException'
const notFound = 'ResourceNotFoundException'
const exists = 'AlreadyExistsException'
const denied = 'InvalidRequestException'

statementsOf('K', ['backup'], async (node) => {
  const calls = backupCalls(node)
  await authentication(calls)
  await vaults(calls)
  await airGappedVaults(calls)
  await policiesAndNotifications(calls)
  await frameworks(calls)
  await reports(calls)
  await legalHolds(calls)
  await tags(calls)
  await listsAndMissing(calls)
  await locks(calls) // last, since it moves the clock
})

async function authentication({ call, instance, holds, vault }: BackupCalls) {
  const { url, signing } = instance.app.service('backup')
  const own: Signer = { ...signing, id: signing.accessKeyId, secret: signing.secretAccessKey }
  const hourAgo = { now: () => new Date(Date.now() - 3_600_000) }
  const signedBy = async (changes: Partial<Signer>, clock?: Parameters<typeof signedFetch>[1]) => {
    const answer = await signedFetch({ ...own, ...changes }, clock)(`${url}/backup-vaults/`)
    return answer.headers.get('x-amzn-errortype') ?? answer.status
  }
  const unsigned = await fetch(`${url}/backup-vaults/`)
  const type = unsigned.headers.get('x-amzn-errortype')
  holds('a request that is not signed is refused', type === 'MissingAuthenticationTokenException', type)
  holds('a signed request is answered', (await signedBy({})) === 200)
  const wrong: readonly (readonly [string, Partial<Signer>, string])[] = [
    ['a signature by another secret is refused', { secret: 'another' }, 'InvalidSignatureException'],
    ['an unknown access key is refused', { id: 'AKIXXXXXXXXXXXXXXXXX' }, 'UnrecognizedClientException'],
    ['a signature for another region is refused', { region: 'eu-west-1' }, 'InvalidSignatureException'],
    ['a signature for another service is refused', { service: 'iotevents' }, 'InvalidSignatureException'],
  ]
  for (const [statement, changes, name] of wrong) {
    const found = await signedBy(changes)
    holds(statement, found === name, found)
  }
  const late = await signedBy({}, hourAgo)
  holds('a signature of an hour ago is refused', late === 'InvalidSignatureException', late)

  await vault('own')
  const other = (await instance.app.tenant('other')).service('backup')
  const theirs = (await (await other.fetch('/backup-vaults/')).json()) as { BackupVaultList: unknown[] }
  holds('another account sees none of the vaults', theirs.BackupVaultList.length === 0, theirs)
  const { json: hold } = await call('POST', '/legal-holds/', { Title: 't', Description: 'd' })
  const reader = (await instance.app.tenant('dev', ['backup:GetLegalHold'])).service('backup')
  const path = `/legal-holds/${hold.LegalHoldId}`
  const cancelled = await reader.fetch(`${path}?cancelDescription=over`, { method: 'DELETE' })
  const isKept = (await call('GET', `${path}/`)).json.Status === 'ACTIVE'
  holds('cancelling a legal hold needs the permission for it', cancelled.status === 403 && isKept, cancelled.status)
  await call('DELETE', `${path}?cancelDescription=over`)
}

async function vaults({ alike, call, fields, holds, refused, succeeds, unbuilt, vault }: BackupCalls) {
  const made = await vault('daily', { BackupVaultTags: { a: 'b' }, CreatorRequestId: 'c1' })
  const arn = made.json.BackupVaultArn
  const isArn = (value: unknown) => /^arn:aws:backup:us-east-1:\d{12}:backup-vault:daily$/.test(String(value))
  const created = { BackupVaultName: 'daily', BackupVaultArn: isArn, CreationDate: isRecent }
  fields('a vault that is created', made.json, created)
  const again = await vault('daily')
  refused('a vault that exists is not created', exists, again)
  fields('the refusal of a vault that exists', again.json, { Arn: arn, CreatorRequestId: 'c1' })
  const retried = await vault('daily', { CreatorRequestId: 'c1' })
  alike('a retry with its CreatorRequestId is answered alike', made, retried)
  const account = arn.split(':')[4]
  const read = await call('GET', `/backup-vaults/daily?backupVaultAccountId=${account}`)
  fields('a vault', read.json, {
    ...{ ...created, VaultType: 'BACKUP_VAULT', VaultState: 'AVAILABLE', CreatorRequestId: 'c1' },
    ...{ NumberOfRecoveryPoints: 0, Locked: false },
  })
  const theirs = '?backupVaultAccountId=999999999999'
  refused('a vault of another account is not found', notFound, await call('GET', `/backup-vaults/daily${theirs}`))
  refused('so are its recovery points', notFound, await call('GET', `/backup-vaults/daily/recovery-points/${theirs}`))
  const { json: tagged } = await call('GET', `/tags/${part(arn)}/`)
  holds('a vault has the tags with which it was created', tagged.Tags.a === 'b', tagged)

  for (const name of ['a', 'bad name', 'x'.repeat(51), 'ä-ö'])
    refused(`'${name}' is not the name of a vault`, invalid, await vault(part(name)))
  for (const name of ['ok_name-1', 'x'.repeat(50)]) succeeds(`'${name}' is the name of a vault`, await vault(name))
  refused('names of vaults are case-sensitive', notFound, await call('GET', '/backup-vaults/DAILY'))
  const key = { EncryptionKeyArn: 'arn:aws:kms:us-east-1:123456789012:key/x' }
  unbuilt('EncryptionKeyArn of a vault is not supported', await vault('keyed', key), 'EncryptionKeyArn')

  const { json: first } = await call('GET', '/backup-vaults/?maxResults=1')
  const { json: second } = await call('GET', `/backup-vaults/?maxResults=1&nextToken=${part(first.NextToken)}`)
  const names = [...first.BackupVaultList, ...second.BackupVaultList].map(({ BackupVaultName: name }) => name)
  holds('vaults are listed page by page', names.length === 2 && names[0] !== names[1], names)
  for (const count of ['0', '2000', 'x'])
    refused(`maxResults=${count} is refused`, invalid, await call('GET', `/backup-vaults/?maxResults=${count}`))
  refused('a token of another list is refused', invalid, await call('GET', '/backup-vaults/?nextToken=nonsense'))

  succeeds('an empty vault is deleted', await call('DELETE', '/backup-vaults/ok_name-1'))
  refused('a deleted vault is not found', notFound, await call('GET', '/backup-vaults/ok_name-1'))
  refused('a missing vault is not deleted', notFound, await call('DELETE', '/backup-vaults/ok_name-1'))
}

async function airGappedVaults({ call, fields, holds, refused, succeeds }: BackupCalls) {
  const put = (name: string, body: object) => call('PUT', `/logically-air-gapped-backup-vaults/${name}`, body)
  const limits = { MinRetentionDays: 7, MaxRetentionDays: 30 }
  refused('an air-gapped vault needs MinRetentionDays', invalid, await put('air', { MaxRetentionDays: 30 }))
  refused('an air-gapped vault needs MaxRetentionDays', invalid, await put('air', { MinRetentionDays: 7 }))
  const reversed = { MinRetentionDays: 7, MaxRetentionDays: 5 }
  refused('MinRetentionDays is not more than MaxRetentionDays', invalid, await put('air', reversed))
  const created = await put('air', { ...limits, BackupVaultTags: { a: 'b' }, CreatorRequestId: 'c2' })
  fields('an air-gapped vault that is created', created.json, {
    ...{ BackupVaultName: 'air', BackupVaultArn: isText, CreationDate: isRecent, VaultState: isText },
  })
  const { json } = await call('GET', '/backup-vaults/air')
  fields('an air-gapped vault', json, {
    ...{ ...limits, VaultType: 'LOGICALLY_AIR_GAPPED_BACKUP_VAULT', VaultState: 'AVAILABLE', Locked: true },
    ...{ CreatorRequestId: 'c2', NumberOfRecoveryPoints: 0 },
  })
  refused('an air-gapped vault that exists is not created', exists, await put('air', limits))
  refused('it has no name of another vault', exists, await put('daily', limits))
  refused('its lock is not deleted', denied, await call('DELETE', '/backup-vaults/air/vault-lock'))
  refused('its lock is not changed', denied, await call('PUT', '/backup-vaults/air/vault-lock', limits))
  const of = async (type: string) =>
    (await call('GET', `/backup-vaults/?vaultType=${type}`)).json.BackupVaultList.map(
      ({ BackupVaultName }: { BackupVaultName: string }) => BackupVaultName,
    )
  const gapped = await of('LOGICALLY_AIR_GAPPED_BACKUP_VAULT')
  holds('vaults are listed by their type', gapped.join() === 'air' && !(await of('BACKUP_VAULT')).includes('air'))
  succeeds('an empty air-gapped vault is deleted', await call('DELETE', '/backup-vaults/air'))
}

async function policiesAndNotifications({ call, fields, holds, refused, succeeds, unbuilt }: BackupCalls) {
  const policyAt = '/backup-vaults/daily/access-policy'
  const statement = { Effect: 'Deny', Principal: '*', Action: 'backup:DeleteBackupVault', Resource: '*' }
  const policyOf = (one: object) => ({ Policy: JSON.stringify({ Version: '2012-10-17', Statement: [one] }) })
  const policy = policyOf(statement)
  refused('a vault without an access policy has none', notFound, await call('GET', policyAt))
  succeeds('an access policy is put', await call('PUT', policyAt, policy))
  const { json: shown } = await call('GET', policyAt)
  fields('an access policy', shown, { ...policy, BackupVaultName: 'daily', BackupVaultArn: isText })
  const refusal = await call('DELETE', '/backup-vaults/daily')
  refused('what an access policy denies is refused', 'AccessDeniedException', refusal)
  refused('an access policy is one', invalid, await call('PUT', policyAt, { Policy: '{' }))
  const conditional = await call('PUT', policyAt, policyOf({ ...statement, Condition: {} }))
  unbuilt('Condition of an access policy is not supported', conditional, 'Condition')
  succeeds('an access policy is deleted', await call('DELETE', policyAt))
  refused('a deleted access policy is not found', notFound, await call('GET', policyAt))
  refused(
    'a missing vault has no access policy to delete',
    notFound,
    await call('DELETE', policyAt.replace('daily', 'no')),
  )

  const noticesAt = '/backup-vaults/daily/notification-configuration'
  const SNSTopicArn = 'arn:aws:sns:us-east-1:123456789012:topic'
  const notices = { SNSTopicArn, BackupVaultEvents: ['BACKUP_JOB_COMPLETED', 'RESTORE_JOB_FAILED'] }
  refused('a vault without a notification configuration has none', notFound, await call('GET', noticesAt))
  succeeds('a notification configuration is put', await call('PUT', noticesAt, notices))
  const { json: told } = await call('GET', noticesAt)
  fields('a notification configuration', told, { ...notices, BackupVaultName: 'daily', BackupVaultArn: isText })
  const unknown = await call('PUT', noticesAt, { SNSTopicArn, BackupVaultEvents: ['BACKUP_JOB_DANCED'] })
  refused('an event that is none is refused', invalid, unknown)
  succeeds('a notification configuration is deleted', await call('DELETE', noticesAt))
  refused('a deleted notification configuration is not found', notFound, await call('GET', noticesAt))
  refused(
    'a missing vault has no notifications to delete',
    notFound,
    await call('DELETE', noticesAt.replace('daily', 'no')),
  )
  holds('the vault is still there', (await call('GET', '/backup-vaults/daily')).status === 200)
}

async function legalHolds({ alike, call, fields, holds, refused }: BackupCalls) {
  const at = '/legal-holds/'
  const RecoveryPointSelection = {
    ...{ VaultNames: ['daily'], ResourceIdentifiers: ['/subscriptions/a/resourceGroups/b/providers/C.D/es/f'] },
    DateRange: { FromDate: 0, ToDate: 4_000_000_000 },
  }
  const hold = { Title: 'case', Description: 'd', RecoveryPointSelection }
  const body = { ...hold, IdempotencyToken: 't3', Tags: { a: 'b' } }
  const created = await call('POST', at, body)
  const shown = { ...hold, Status: 'ACTIVE', LegalHoldId: isText, LegalHoldArn: isText, CreationDate: isRecent }
  fields('a legal hold that is created', created.json, shown)
  const retried = await call('POST', at, body)
  alike('a retry with its IdempotencyToken is answered alike', created, retried)
  for (const name of ['Title', 'Description'])
    refused(`a legal hold needs ${name}`, invalid, await call('POST', at, { ...hold, [name]: undefined }))
  const reversed = { ...hold, RecoveryPointSelection: { DateRange: { FromDate: 2, ToDate: 1 } } }
  refused('FromDate is not after ToDate', invalid, await call('POST', at, reversed))
  const own = `${at}${created.json.LegalHoldId}`
  fields('a legal hold', (await call('GET', `${own}/`)).json, shown)
  const { json: tagged } = await call('GET', `/tags/${part(created.json.LegalHoldArn)}/`)
  holds('a legal hold has its tags', tagged.Tags?.a === 'b', tagged)
  const { LegalHolds } = (await call('GET', at)).json
  const ids = LegalHolds.map(({ LegalHoldId }: { LegalHoldId: string }) => LegalHoldId)
  holds('legal holds are listed', ids.includes(created.json.LegalHoldId), ids)

  refused('cancelling needs cancelDescription', invalid, await call('DELETE', own))
  const days = (count: string) => call('DELETE', `${own}?cancelDescription=over&retainRecordInDays=${count}`)
  for (const count of ['x', '-1', '1.5']) refused(`retainRecordInDays=${count} is refused`, invalid, await days(count))
  const cancelled = await days('3')
  const { json: record } = await call('GET', `${own}/`)
  const refusal = (record.RetainRecordUntil - record.CancellationDate) / day
  fields('a cancelled legal hold', record, {
    Status: 'CANCELED',
    CancelDescription: 'over',
    CancellationDate: isRecent,
  })
  holds('its record is kept for retainRecordInDays', cancelled.status === 200 && refusal === 3, record)
  refused('a legal hold is cancelled once', 'InvalidResourceStateException', await days('3'))
}

async function tags({ call, holds, refused, vault }: BackupCalls) {
  const { json } = await vault('tagged', { BackupVaultTags: { a: '1' } })
  const at = part(json.BackupVaultArn)
  const put = (Tags: object) => call('POST', `/tags/${at}`, { Tags })
  const read = async () => (await call('GET', `/tags/${at}/`)).json.Tags
  await put({ a: '2', b: '3' })
  holds('tags are added, and their values changed', JSON.stringify(await read()) === '{"a":"2","b":"3"}', await read())
  await call('POST', `/untag/${at}`, { TagKeyList: ['a'] })
  holds('tags are removed', JSON.stringify(await read()) === '{"b":"3"}', await read())
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, number) => [`k${number}`, 'v']))
  refused('more than 50 tags are refused', 'LimitExceededException', await put(many))
  refused('keys that begin with aws: are reserved', invalid, await put({ 'aws:a': 'b' }))
}

async function listsAndMissing({ call, holds, refused }: BackupCalls) {
  const settings = await call('GET', '/global-settings')
  refused('global settings of an account in no organization are an error', denied, settings)
  holds('it says so', settings.json.Message.includes('organization'), settings.text)
  const points = `/backup-vaults/daily/recovery-points/${part(missingPoint)}`
  for (const path of [
    ...[`/backup-jobs/${missingId}`, `/copy-jobs/${missingId}`, `/restore-jobs/${missingId}`, '/backup-jobs/none'],
    ...[`/legal-holds/${missingId}/`, `/backup/plans/${missingId}/`, `/audit/report-jobs/${missingId}`],
    ...['/audit/frameworks/none', '/audit/report-plans/none', '/restore-testing/plans/none', points],
    ...[
      `/backup-vaults/none/recovery-points/`,
      `/resources/${part('/subscriptions/a/b')}`,
      `${points}/restore-metadata`,
    ],
    ...['/restore-testing/plans/none/selections/none', `/backup/plans/${missingId}/selections/${missingId}`],
  ])
    refused(`GET ${decodeURIComponent(path)} is not found`, notFound, await call('GET', path))
  for (const path of [
    ...[`/backup/plans/${missingId}`, `/backup/plans/${missingId}/selections/${missingId}`, points],
    ...['/restore-testing/plans/none', '/restore-testing/plans/none/selections/none', '/backup-vaults/none/vault-lock'],
    `/legal-holds/${missingId}?cancelDescription=over`,
  ])
    refused(`DELETE ${decodeURIComponent(path)} is not found`, notFound, await call('DELETE', path))
  const lists = {
    ...{ '/backup-jobs/': 'BackupJobs', '/copy-jobs/': 'CopyJobs', '/restore-jobs/': 'RestoreJobs' },
    ...{ '/backup/plans/': 'BackupPlansList', '/resources/': 'Results', '/audit/report-plans': 'ReportPlans' },
    ...{ '/restore-testing/plans': 'RestoreTestingPlans', '/audit/backup-job-summaries': 'BackupJobSummaries' },
    ...{ '/audit/copy-job-summaries': 'CopyJobSummaries', '/audit/restore-job-summaries': 'RestoreJobSummaries' },
    ...{ '/backup-vaults/daily/recovery-points/': 'RecoveryPoints', '/backup-vaults/daily/resources/': 'Results' },
  }
  for (const [path, name] of Object.entries(lists)) {
    const { status, json, text } = await call('GET', path)
    holds(`GET ${path} lists nothing in ${name}`, status === 200 && json[name].length === 0, text)
  }
}

async function locks({ call, holds, instance, refused, succeeds, vault }: BackupCalls) {
  await vault('locked')
  const at = '/backup-vaults/locked/vault-lock'
  const lock = (body: object) => call('PUT', at, body)
  const read = async () => (await call('GET', '/backup-vaults/locked')).json
  refused('MinRetentionDays of a lock is at least 1', invalid, await lock({ MinRetentionDays: 0 }))
  refused('ChangeableForDays of a lock is at least 3', invalid, await lock({ ChangeableForDays: 2 }))
  const reversed = { MinRetentionDays: 5, MaxRetentionDays: 1 }
  refused('MinRetentionDays of a lock is not more than MaxRetentionDays', invalid, await lock(reversed))
  await lock({ MinRetentionDays: 1, MaxRetentionDays: 100 })
  const { Locked, MinRetentionDays, MaxRetentionDays, LockDate } = await read()
  const isLocked = Locked && MinRetentionDays === 1 && MaxRetentionDays === 100
  holds('a vault is locked, with its retentions', isLocked && LockDate === undefined, await read())
  succeeds('a lock that can be changed is deleted', await call('DELETE', at))
  holds('a vault whose lock was deleted is not locked', (await read()).Locked === false, await read())
  await lock({ MinRetentionDays: 1, ChangeableForDays: 3 })
  const until = (await read()).LockDate - (await instance.app.clock.now()).getTime() / 1000
  holds('LockDate is ChangeableForDays from now', Math.abs(until - 3 * day) < 3_600, until)
  succeeds('a lock is changed before its LockDate', await lock({ MinRetentionDays: 2, ChangeableForDays: 3 }))
  await instance.app.clock.advance('4d')
  refused('an immutable lock is not deleted', denied, await call('DELETE', at))
  refused('an immutable lock is not changed', denied, await lock({ MinRetentionDays: 1 }))
  const { Locked: still, MinRetentionDays: days } = await read()
  holds('an immutable lock stays as it was', still && days === 2, await read())
}
