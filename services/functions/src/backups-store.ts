import { sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'
import type { FunctionRow, Place } from './functions/store.ts'

export const functionTable = 'functions.functions'
export const revisionTable = 'functions.revisions'

const ownColumns = ['tenant', 'subscription_key', 'location', 'name_key', 'address', 'operation', 'revision']

/** A function with its configuration, policy and serving revision. Secrets of its project are not included. */
export const rowsOf = ({ tenant, project, location, function: name, revision }: FunctionRow): RowsOf[] => [
  ownRows(
    functionTable,
    sql`tenant = ${tenant} and subscription_key = ${project} and location = ${location} and name_key = ${name}`,
    'name_key',
    ownColumns,
  ),
  ownRows(revisionTable, sql`tenant = ${tenant} and id = ${revision}`, 'id', [
    ...['tenant', 'id', 'project', 'location', 'function'],
  ]),
]

export const functionColumns = (tenant: string, { project, location, function: name }: Place) => ({
  tenant,
  subscription_key: project,
  location,
  name_key: name,
})
