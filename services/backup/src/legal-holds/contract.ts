import { named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  Nothing,
  next,
  opt,
  paged,
  Tags,
  Text,
  Time,
  Token,
  text,
  time,
  VaultName,
  withoutNotFound,
} from '../shapes/contract.ts'

const Status = oneOf('CREATING', 'ACTIVE', 'CANCELING', 'CANCELED')
const Title = Type.String({ minLength: 1, maxLength: 256 })

const RecoveryPointSelection = named('RecoveryPointSelection', {
  VaultNames: opt(Type.Array(VaultName, { maxItems: 100 })),
  ResourceIdentifiers: opt(Type.Array(Arn, { maxItems: 500 })),
  DateRange: opt(named('DateRange', { FromDate: Time, ToDate: Time })),
})
export type RecoveryPointSelection = Static<typeof RecoveryPointSelection>

const hold = {
  Title: text,
  Status: opt(Status),
  Description: text,
  LegalHoldId: text,
  LegalHoldArn: text,
  CreationDate: time,
}

export const legalHolds = {
  CreateLegalHold: api.post('/legal-holds/', {
    summary: 'Keep recovery points from being deleted until the hold is cancelled.',
    body: named('CreateLegalHoldInput', {
      Title,
      Description: Text,
      IdempotencyToken: opt(Token),
      RecoveryPointSelection: opt(RecoveryPointSelection),
      Tags: opt(Tags),
    }),
    replies: {
      200: named('CreateLegalHoldOutput', { ...hold, RecoveryPointSelection: opt(RecoveryPointSelection) }),
    },
  }),
  CancelLegalHold: api.delete('/legal-holds/{legalHoldId}', {
    summary: 'Cancel a legal hold; its record is kept for a number of days.',
    query: Type.Object({
      cancelDescription: Type.String({ minLength: 1, maxLength: 1024 }),
      retainRecordInDays: opt(Type.Integer({ minimum: 0, maximum: 36_500 })),
    }),
    replies: { 200: Nothing },
  }),
  GetLegalHold: api.get('/legal-holds/{legalHoldId}/', {
    summary: 'Read a legal hold.',
    extension: true,
    replies: {
      200: named('GetLegalHoldOutput', {
        ...hold,
        CancelDescription: text,
        CancellationDate: time,
        RetainRecordUntil: time,
        RecoveryPointSelection: opt(RecoveryPointSelection),
      }),
    },
  }),
  ListLegalHolds: api.get('/legal-holds/', {
    summary: 'List the legal holds, the newest first.',
    extension: true,
    query: Type.Object(paged),
    replies: {
      200: named('ListLegalHoldsOutput', {
        LegalHolds: Type.Array(named('LegalHold', { ...hold, CancellationDate: time })),
        ...next,
      }),
    },
  }),
  ListRecoveryPointsByLegalHold: api.get('/legal-holds/{legalHoldId}/recovery-points', {
    summary: 'List the recovery points that a legal hold keeps.',
    params: { legalHoldId: withoutNotFound.legalHoldId },
    extension: true,
    query: Type.Object(paged),
    replies: {
      200: named('ListRecoveryPointsByLegalHoldOutput', {
        RecoveryPoints: Type.Array(
          named('RecoveryPointMember', {
            RecoveryPointArn: text,
            ResourceArn: text,
            ResourceType: text,
            BackupVaultName: text,
          }),
        ),
        ...next,
      }),
    },
  }),
}
