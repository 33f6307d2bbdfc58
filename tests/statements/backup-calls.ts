import { isDeepStrictEqual } from 'node:util'
import { fieldStatements, isException } from './fields.ts'
import { type Answer, type Node, until } from './statements.ts'

export const IamRoleArn = 'arn:aws:iam::123456789012:role/any'
export const part = encodeURIComponent

/** Calls and checks for statements about backups. */
export function backupCalls(node: Node) {
  const { holds } = node
  const call = node.caller('backup')
  const ended = async (path: string, read: (json: Answer['json']) => Answer['json'] = (json) => json) =>
    until(async () => {
      const job = read((await call('GET', path)).json)
      return /COMPLETED|FAILED|EXPIRED|ABORTED/.test(job?.State ?? job?.Status) && job
    })
  return {
    ...node,
    call,
    fields: fieldStatements(holds),
    alike: (statement: string, first: Answer, second: Answer) =>
      holds(statement, first.status === 200 && isDeepStrictEqual(second.json, first.json), second.text),
    succeeds: (statement: string, { status, text }: Answer) => holds(statement, status === 200, [status, text]),
    refused: (statement: string, name: string, answer: Answer) =>
      holds(`${statement}: ${name}`, isException(answer, name), [answer.status, answer.text]),
    vault: (name: string, body: object = {}) => call('PUT', `/backup-vaults/${name}`, body),
    pointAt: (vault: string, arn: string) => `/backup-vaults/${vault}/recovery-points/${part(arn)}`,
    start: (BackupVaultName: string, ResourceArn: string, more: object = {}) =>
      call('PUT', '/backup-jobs', { BackupVaultName, ResourceArn, IamRoleArn, ...more }),
    /** Starts a backup job and waits for its end. */
    async backUp(BackupVaultName: string, ResourceArn: string, more: object = {}) {
      const body = { BackupVaultName, ResourceArn, IamRoleArn, ...more }
      const { json } = await call('PUT', '/backup-jobs', body)
      return ended(`/backup-jobs/${json.BackupJobId}`)
    },
    /** Starts a restore job and waits for its end. */
    async restore(RecoveryPointArn: string, Metadata: object = {}, more: object = {}) {
      const { json, text } = await call('PUT', '/restore-jobs', { RecoveryPointArn, IamRoleArn, Metadata, ...more })
      return json?.RestoreJobId ? ended(`/restore-jobs/${json.RestoreJobId}`) : { Status: text }
    },
    /** Starts a copy job and waits for its end. */
    async copy(RecoveryPointArn: string, from: string, DestinationBackupVaultArn: string, more: object = {}) {
      const body = { RecoveryPointArn, SourceBackupVaultName: from, DestinationBackupVaultArn, IamRoleArn, ...more }
      const { json, text } = await call('PUT', '/copy-jobs', body)
      return json?.CopyJobId ? ended(`/copy-jobs/${json.CopyJobId}`, ({ CopyJob }) => CopyJob) : { State: text }
    },
    ended,
  }
}

export type BackupCalls = ReturnType<typeof backupCalls>
