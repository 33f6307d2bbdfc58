import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sdk from '@aws-sdk/client-backup'
import * as contracts from '@icosa/backup/contract'
import { seed } from '@icosa/backup/testing/seed'
import { type Operation, paramNames } from '@icosa/contract'
import type { Service } from '@icosa/kernel'
import { credentialsFor, type Known } from '@icosa/testing'
import AWS from 'aws-sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testService } from '../../services/backup/src/testing/service.ts'
import { type SignedPlatform, startSignedPlatform } from './signed-support.ts'

// Calls every operation of the contract with the unmodified clients of both versions: the request must match the route of
// that operation, and the client must return a result or an exception that it declares.
const operations: readonly (readonly [string, Operation])[] = Object.values(contracts).flatMap((resource) =>
  Object.entries(resource as unknown as Record<string, Operation>),
)

/** One tenant for each version of the client: each deletes resources that the other needs. */
const tenant = '123456789012'
const secondTenant = '210987654321'
const IamRoleArn = `arn:aws:iam::${tenant}:role/backup`
const Rules = [{ RuleName: 'nightly', TargetBackupVaultName: 'seeded', ScheduleExpression: 'cron(0 5 ? * * *)' }]
const type = 'Vendor.Test/things'
const nothing: Readonly<Record<string, unknown>> = {}

/** Inputs of operations besides the names in their paths. */
const inputs = (known: Known, unique: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  CreateBackupVault: { BackupVaultName: `made${unique}` },
  CreateLogicallyAirGappedBackupVault: {
    BackupVaultName: `gapped${unique}`,
    MinRetentionDays: 7,
    MaxRetentionDays: 30,
  },
  CreateBackupPlan: { BackupPlan: { BackupPlanName: `made${unique}`, Rules } },
  UpdateBackupPlan: { BackupPlan: { BackupPlanName: 'changed', Rules } },
  CreateBackupSelection: {
    BackupSelection: { SelectionName: `made${unique}`, IamRoleArn, Resources: ['*'] },
  },
  CreateLegalHold: { Title: 'case', Description: 'a lawsuit' },
  CancelLegalHold: { CancelDescription: 'settled' },
  CreateFramework: {
    FrameworkName: `made${unique}`,
    FrameworkControls: [{ ControlName: 'BACKUP_RECOVERY_POINT_ENCRYPTED' }],
  },
  UpdateFramework: { FrameworkDescription: 'changed' },
  CreateReportPlan: {
    ReportPlanName: `made${unique}`,
    ReportDeliveryChannel: { S3BucketName: 'reports' },
    ReportSetting: { ReportTemplate: 'BACKUP_JOB_REPORT' },
  },
  UpdateReportPlan: { ReportPlanDescription: 'changed' },
  CreateRestoreTestingPlan: {
    RestoreTestingPlan: {
      RestoreTestingPlanName: `made${unique}`,
      ScheduleExpression: 'cron(0 5 ? * * *)',
      RecoveryPointSelection: {
        Algorithm: 'LATEST_WITHIN_WINDOW',
        IncludeVaults: ['*'],
        RecoveryPointTypes: ['SNAPSHOT'],
      },
    },
  },
  UpdateRestoreTestingPlan: { RestoreTestingPlan: { ScheduleExpression: 'rate(1 day)' } },
  CreateRestoreTestingSelection: {
    RestoreTestingSelection: {
      RestoreTestingSelectionName: `made${unique}`,
      ProtectedResourceType: type,
      IamRoleArn,
      ProtectedResourceArns: ['*'],
    },
  },
  UpdateRestoreTestingSelection: { RestoreTestingSelection: { ValidationWindowHours: 2 } },
  PutRestoreValidationResult: { ValidationStatus: 'SUCCESSFUL' },
  PutBackupVaultAccessPolicy: { Policy: '{"Statement":[]}' },
  PutBackupVaultLockConfiguration: { BackupVaultName: `made${unique}`, MinRetentionDays: 1 },
  DeleteBackupVaultLockConfiguration: { BackupVaultName: `made${unique}` },
  DeleteRestoreTestingPlan: { RestoreTestingPlanName: `made${unique}` },
  DeleteRestoreTestingSelection: { RestoreTestingSelectionName: `made${unique}` },
  PutBackupVaultNotifications: {
    SNSTopicArn: `arn:aws:sns:us-east-1:${tenant}:topic`,
    BackupVaultEvents: ['BACKUP_JOB_COMPLETED'],
  },
  StartBackupJob: { BackupVaultName: 'seeded', ResourceArn: known.resourceArn, IamRoleArn },
  StartRestoreJob: { RecoveryPointArn: known.recoveryPointArn, Metadata: {} },
  StartCopyJob: {
    RecoveryPointArn: known.recoveryPointArn,
    SourceBackupVaultName: 'seeded',
    DestinationBackupVaultArn: known.vaultArn,
    IamRoleArn,
  },
  TagResource: { ResourceArn: known.vaultArn, Tags: { a: 'b' } },
  UntagResource: { ResourceArn: known.vaultArn, TagKeyList: ['a'] },
  ListTags: { ResourceArn: known.vaultArn },
  UpdateGlobalSettings: { GlobalSettings: {} },
  UpdateRecoveryPointLifecycle: { Lifecycle: { DeleteAfterDays: 400 } },
  UpdateRegionSettings: { ResourceTypeOptInPreference: { [type]: true } },
  GetBackupPlanFromJSON: { BackupPlanTemplateJson: JSON.stringify({ BackupPlanName: 'read', Rules }) },
  GetRestoreTestingInferredMetadata: { BackupVaultName: 'seeded', RecoveryPointArn: known.recoveryPointArn },
})

/** Order in which operations find their resources: create, read, then delete, children first. */
const ranks: readonly RegExp[] = [
  /^(Create|Put|Start|Tag)/,
  /^Update/,
  /^(Get|Describe|List|Export)/,
  /^(Untag|Stop|Cancel|Disassociate|DeleteBackupSelection|DeleteRestoreTestingSelection|DeleteRecoveryPoint|DeleteBackupVault.)/,
  /^Delete/,
]
const rank = ([name]: readonly [string, Operation]) => ranks.findIndex((rank) => rank.test(name))
const ordered = operations.toSorted((a, b) => rank(a) - rank(b))

/** Operations that are refused with an exception that clients declare. */
const refused: Readonly<Record<string, string>> = {
  DescribeGlobalSettings: 'InvalidRequestException',
  UpdateGlobalSettings: 'InvalidRequestException',
  DisassociateRecoveryPoint: 'InvalidRequestException',
  DisassociateRecoveryPointFromParent: 'InvalidRequestException',
  DeleteBackupVault: 'InvalidRequestException', // not empty
  DeleteBackupPlan: 'InvalidRequestException', // it has another selection
  DeleteRecoveryPoint: 'InvalidRequestException', // a legal hold of the seed keeps it
  PutRestoreValidationResult: 'InvalidRequestException', // nothing is restored yet
  StartCopyJob: 'InvalidRequestException', // into its own vault
  StartBackupJob: 'ResourceNotFoundException', // the resource of the seed's recovery point no longer exists
}

const commands = new Map(Object.entries(sdk))
/** Client's name of a path parameter. */
const fieldOf = (param: string) => (param === 'templateId' ? 'BackupPlanTemplateId' : upperFirst(param))
const upperFirst = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function inputOf([name, operation]: readonly [string, Operation], known: Known, unique: string) {
  const params = paramNames(operation.path).map((param) => [fieldOf(param), known[param]])
  return { ...Object.fromEntries(params), ...(inputs(known, unique)[name] ?? nothing) }
}

const matches = ({ method, path }: Operation, sent: { method: string; path: string }) =>
  method === sent.method && new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(sent.path)

let platform: SignedPlatform
let folder = ''
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-backup-'))
  service = testService(folder)
  platform = await startSignedPlatform([service])
  known = await seeded(tenant)
}, 120_000)

let known: Known = {}
async function seeded(of: string): Promise<Known> {
  const ids = await seed(await credentialsFor(platform.app, service, of), platform.app)
  return { ...ids, vaultArn: `arn:aws:backup:us-east-1:${of}:backup-vault:seeded` }
}

afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('both clients have exactly the operations of the contract', () => {
  const names = operations.map(([name]) => name).sort()
  expect(names).toHaveLength(91)
  const third = Object.keys(sdk).flatMap((name) => /^(\w+)Command$/.exec(name)?.[1] ?? [])
  expect(third.sort()).toEqual(names)
  const second = Object.keys(clientOfVersion2(platform.config.credentials).api.operations).map(upperFirst)
  expect(second.sort()).toEqual(names)
})

test.each(ordered)('version 3 calls %s', async (name, operation) => {
  const client = new sdk.BackupClient(platform.config)
  let sent = { method: '', path: '' }
  client.middlewareStack.add(
    (next) => (args) => {
      sent = args.request as typeof sent
      return next(args)
    },
    { step: 'deserialize', priority: 'low', name: 'seen' },
  )
  const Command = commands.get(`${name}Command`) as unknown as new (input: object) => never
  const outcome = await client.send(new Command(inputOf([name, operation], known, 'v3'))).then(
    () => 'done',
    (error: sdk.BackupServiceException) => {
      expect(error, String(error.stack)).toBeInstanceOf(sdk.BackupServiceException)
      expect(Object.keys(sdk)).toContain(error.name)
      return `${error.name}: ${error.message}`
    },
  )
  expect(matches(operation, sent), `${sent.method} ${sent.path}`).toBe(true)
  const why = refused[name]
  if (why === undefined) expect(outcome).toBe('done')
  else expect(outcome).toContain(why)
})

interface Version2 {
  readonly api: { readonly operations: Readonly<Record<string, unknown>> }
  makeRequest(operation: string, input: object): { promise(): Promise<unknown> }
}

function clientOfVersion2(credentials: SignedPlatform['config']['credentials']): Version2 {
  const { endpoint, region } = platform.config
  return new AWS.Backup({ endpoint, region, credentials, maxRetries: 0 }) as unknown as Version2
}

test('version 2 calls every operation', async () => {
  const { id: accessKeyId, secret: secretAccessKey } = await platform.app.signingSecret(secondTenant, ['*'])
  const client = clientOfVersion2({ accessKeyId, secretAccessKey })
  const again = await seeded(secondTenant)
  const wrong: string[] = []
  for (const one of ordered) {
    const [name] = one
    const method = name.charAt(0).toLowerCase() + name.slice(1)
    const outcome = await client
      .makeRequest(method, inputOf(one, again, 'v2'))
      .promise()
      .then(
        () => 'done',
        (error: { code?: string; statusCode?: number; message: string }) => `${error.code}: ${error.message}`,
      )
    const expected = refused[name] ?? 'done'
    if (!outcome.startsWith(expected)) wrong.push(`${name} ${outcome}`)
  }
  expect(wrong).toEqual([])
}, 120_000)
