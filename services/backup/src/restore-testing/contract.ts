import { named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  capitalPaged,
  next,
  opt,
  Tags,
  TestingName,
  Text,
  Texts,
  Time,
  text,
  time,
  VaultName,
  withoutNotFound,
} from '../shapes/contract.ts'

const Hours = Type.Integer({ minimum: 1, maximum: 168 })
const Vaults = opt(Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { maxItems: 100 }))

const RecoveryPointSelection = named('RestoreTestingRecoveryPointSelection', {
  Algorithm: opt(oneOf('LATEST_WITHIN_WINDOW', 'RANDOM_WITHIN_WINDOW')),
  IncludeVaults: Vaults,
  ExcludeVaults: Vaults,
  RecoveryPointTypes: opt(Type.Array(oneOf('CONTINUOUS', 'SNAPSHOT'), { maxItems: 2 })),
  SelectionWindowDays: opt(Type.Integer({ minimum: 1, maximum: 365 })),
})
const timing = {
  ScheduleExpressionTimezone: opt(Type.String({ maxLength: 64 })),
  StartWindowHours: opt(Hours),
}
const ScheduleExpression = Type.String({ maxLength: 256 })
const planned = { RecoveryPointSelection, ScheduleExpression, ...timing }
export const RestoreTestingPlan = named('RestoreTestingPlanForCreate', {
  RestoreTestingPlanName: TestingName,
  ...planned,
})
export type RestoreTestingPlan = Static<typeof RestoreTestingPlan>

const shownPlan = {
  CreationTime: Time,
  LastExecutionTime: time,
  LastUpdateTime: time,
  RestoreTestingPlanArn: Type.String(),
  RestoreTestingPlanName: Type.String(),
  ScheduleExpression,
  ...timing,
}

const KeyValues = opt(Type.Array(named('KeyValue', { Key: Text, Value: Text }), { maxItems: 30 }))
const Conditions = named('ProtectedResourceConditions', { StringEquals: KeyValues, StringNotEquals: KeyValues })
const selecting = {
  ProtectedResourceArns: opt(Type.Array(Arn, { maxItems: 30 })),
  ProtectedResourceConditions: opt(Conditions),
  RestoreMetadataOverrides: opt(Texts),
  ValidationWindowHours: opt(Hours),
}
const RestoreTestingSelection = named('RestoreTestingSelectionForCreate', {
  RestoreTestingSelectionName: TestingName,
  ProtectedResourceType: Text,
  IamRoleArn: Arn,
  ...selecting,
})
export type RestoreTestingSelection = Static<typeof RestoreTestingSelection>

const shownSelection = {
  CreationTime: Time,
  IamRoleArn: Type.String(),
  ProtectedResourceType: Type.String(),
  RestoreTestingPlanName: Type.String(),
  RestoreTestingSelectionName: Type.String(),
}
const planResult = { CreationTime: Time, RestoreTestingPlanArn: Type.String(), RestoreTestingPlanName: Type.String() }
const selectionResult = { ...planResult, RestoreTestingSelectionName: Type.String() }
const at = '/restore-testing/plans/{RestoreTestingPlanName}' as const
const selectionAt = `${at}/selections/{RestoreTestingSelectionName}` as const

export const restoreTesting = {
  CreateRestoreTestingPlan: api.put('/restore-testing/plans', {
    summary: 'Create a plan that regularly tests whether recovery points can be restored.',
    body: named('CreateRestoreTestingPlanInput', {
      CreatorRequestId: opt(Text),
      RestoreTestingPlan,
      Tags: opt(Tags),
    }),
    replies: { 200: named('CreateRestoreTestingPlanOutput', planResult) },
  }),
  GetRestoreTestingPlan: api.get(at, {
    summary: 'Read a restore testing plan.',
    extension: true,
    replies: {
      200: named('GetRestoreTestingPlanOutput', {
        RestoreTestingPlan: named('RestoreTestingPlanForGet', {
          ...shownPlan,
          CreatorRequestId: text,
          RecoveryPointSelection,
        }),
      }),
    },
  }),
  UpdateRestoreTestingPlan: api.put(at, {
    summary: 'Change a restore testing plan.',
    extension: true,
    body: named('UpdateRestoreTestingPlanInput', {
      RestoreTestingPlan: named('RestoreTestingPlanForUpdate', {
        RecoveryPointSelection: opt(RecoveryPointSelection),
        ScheduleExpression: opt(ScheduleExpression),
        ...timing,
      }),
    }),
    replies: { 200: named('UpdateRestoreTestingPlanOutput', { ...planResult, UpdateTime: Time }) },
  }),
  DeleteRestoreTestingPlan: api.delete(at, {
    summary: 'Delete a restore testing plan that has no selections.',
    params: { RestoreTestingPlanName: withoutNotFound.RestoreTestingPlanName },
    replies: { 200: Type.Object({}) },
  }),
  ListRestoreTestingPlans: api.get('/restore-testing/plans', {
    summary: 'List the restore testing plans.',
    extension: true,
    query: Type.Object(capitalPaged),
    replies: {
      200: named('ListRestoreTestingPlansOutput', {
        RestoreTestingPlans: Type.Array(named('RestoreTestingPlanForList', shownPlan)),
        ...next,
      }),
    },
  }),
  CreateRestoreTestingSelection: api.put(`${at}/selections`, {
    summary: 'Select resources whose recovery points a plan restores.',
    body: named('CreateRestoreTestingSelectionInput', { CreatorRequestId: opt(Text), RestoreTestingSelection }),
    replies: { 200: named('CreateRestoreTestingSelectionOutput', selectionResult) },
  }),
  GetRestoreTestingSelection: api.get(selectionAt, {
    summary: 'Read a selection of a restore testing plan.',
    extension: true,
    replies: {
      200: named('GetRestoreTestingSelectionOutput', {
        RestoreTestingSelection: named('RestoreTestingSelectionForGet', {
          ...shownSelection,
          ...selecting,
          CreatorRequestId: text,
        }),
      }),
    },
  }),
  UpdateRestoreTestingSelection: api.put(selectionAt, {
    summary: 'Change a selection of a restore testing plan.',
    extension: true,
    body: named('UpdateRestoreTestingSelectionInput', {
      RestoreTestingSelection: named('RestoreTestingSelectionForUpdate', { IamRoleArn: opt(Arn), ...selecting }),
    }),
    replies: { 200: named('UpdateRestoreTestingSelectionOutput', { ...selectionResult, UpdateTime: Time }) },
  }),
  DeleteRestoreTestingSelection: api.delete(selectionAt, {
    summary: 'Delete a selection of a restore testing plan.',
    replies: { 200: Type.Object({}) },
  }),
  ListRestoreTestingSelections: api.get(`${at}/selections`, {
    summary: 'List the selections of a restore testing plan.',
    extension: true,
    query: Type.Object(capitalPaged),
    replies: {
      200: named('ListRestoreTestingSelectionsOutput', {
        RestoreTestingSelections: Type.Array(
          named('RestoreTestingSelectionForList', { ...shownSelection, ValidationWindowHours: opt(Hours) }),
        ),
        ...next,
      }),
    },
  }),
  GetRestoreTestingInferredMetadata: api.get('/restore-testing/inferred-metadata', {
    summary: 'Read the metadata with which a restore testing plan would restore a recovery point.',
    extension: true,
    query: Type.Object({ BackupVaultAccountId: opt(Text), BackupVaultName: VaultName, RecoveryPointArn: Arn }),
    replies: { 200: named('GetRestoreTestingInferredMetadataOutput', { InferredMetadata: Texts }) },
  }),
}
