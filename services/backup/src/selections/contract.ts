import { named, oneOf, type Static, Type } from '@icosa/contract'
import { Arn, api, Nothing, next, opt, paged, Text, text, time, withoutNotFound } from '../shapes/contract.ts'

const Key = Type.String({ minLength: 1, maxLength: 256 })
const Parameters = opt(
  Type.Array(named('ConditionParameter', { ConditionKey: opt(Key), ConditionValue: opt(Text) }), { maxItems: 30 }),
)

export const BackupSelection = named('BackupSelection', {
  SelectionName: Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,50}$' }),
  IamRoleArn: Arn,
  Resources: opt(Type.Array(Arn, { maxItems: 500 })),
  NotResources: opt(Type.Array(Arn, { maxItems: 500 })),
  ListOfTags: opt(
    Type.Array(named('Condition', { ConditionType: oneOf('STRINGEQUALS'), ConditionKey: Key, ConditionValue: Text }), {
      maxItems: 30,
    }),
  ),
  Conditions: opt(
    named('Conditions', {
      StringEquals: Parameters,
      StringNotEquals: Parameters,
      StringLike: Parameters,
      StringNotLike: Parameters,
    }),
  ),
})
export type BackupSelection = Static<typeof BackupSelection>

const result = { SelectionId: text, BackupPlanId: text, CreationDate: time }

export const selections = {
  CreateBackupSelection: api.put('/backup/plans/{backupPlanId}/selections/', {
    summary: 'Select resources for a backup plan: by ARN, by tag, or by conditions.',
    params: { backupPlanId: withoutNotFound.backupPlanId },
    body: named('CreateBackupSelectionInput', { BackupSelection, CreatorRequestId: opt(Text) }),
    replies: { 200: named('CreateBackupSelectionOutput', result) },
  }),
  GetBackupSelection: api.get('/backup/plans/{backupPlanId}/selections/{selectionId}', {
    summary: 'Read a selection.',
    extension: true,
    replies: {
      200: named('GetBackupSelectionOutput', {
        ...result,
        BackupSelection: opt(BackupSelection),
        CreatorRequestId: text,
      }),
    },
  }),
  DeleteBackupSelection: api.delete('/backup/plans/{backupPlanId}/selections/{selectionId}', {
    summary: 'Delete a selection. Its recovery points are kept.',
    replies: { 200: Nothing },
  }),
  ListBackupSelections: api.get('/backup/plans/{backupPlanId}/selections/', {
    summary: 'List the selections of a backup plan.',
    extension: true,
    query: Type.Object(paged),
    replies: {
      200: named('ListBackupSelectionsOutput', {
        BackupSelectionsList: Type.Array(
          named('BackupSelectionsListMember', {
            ...result,
            SelectionName: text,
            CreatorRequestId: text,
            IamRoleArn: text,
          }),
        ),
        ...next,
      }),
    },
  }),
}
