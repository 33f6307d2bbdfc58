import { isPattern, virtualClock } from '@icosa/kernel'
import { print, remark, table, text, UsageError } from '@icosa/module'
import { revoke } from '@icosa/tokens'
import { emailOf, isAccountName } from '../identities/email.ts'
import * as accounts from '../identities/store.ts'
import type { CommandInput } from './session.ts'

/** Accesses the database directly: only operators grant permissions. */
export async function serviceAccounts({ words, flags, withDatabase }: CommandInput): Promise<void> {
  const [, action = '', name = ''] = words
  const tenant = text(flags, 'tenant') ?? 'dev'
  const project = text(flags, 'project') ?? tenant
  if (action === 'list') {
    const list = await withDatabase((database) => accounts.list(database, tenant))
    if (flags.json === true) return print(JSON.stringify(list))
    return print(
      table(
        ['service account', 'permissions'],
        list.map((row) => [emailOf(row), row.permissions.join(', ')]),
      ),
    )
  }
  if (!['create', 'delete'].includes(action) || !isAccountName(name))
    throw new UsageError(
      "Usage: icosa functions service-accounts create NAME [--permissions 'sql-databases:*,...'] | delete NAME | list",
    )
  const email = emailOf({ project, name })
  if (action === 'delete') {
    const isRemoved = await withDatabase((database) =>
      database.transaction(async (db) => {
        await revoke(db, email)
        return await accounts.remove(db, tenant, { project, name })
      }, tenant),
    )
    if (!isRemoved) throw new UsageError(`There is no service account ${email}.`)
    return remark(`${email} is deleted, and its tokens are refused.`)
  }
  const permissions = (text(flags, 'permissions') ?? '').split(',').map((pattern) => pattern.trim())
  const patterns = permissions.filter((pattern) => pattern !== '')
  const wrong = patterns.find((pattern) => !isPattern(pattern) || pattern.startsWith('operator:'))
  if (wrong !== undefined)
    throw new UsageError(`'${wrong}' is not a permission of a service account: write '*' or 'backup:List*'.`)
  const isOwn = await withDatabase(async (database) => {
    const createdAt = (await virtualClock(database)).now()
    return accounts.put(database, tenant, { project, name, permissions: patterns, createdAt })
  })
  if (!isOwn) throw new UsageError(`${email} belongs to another tenant: choose another name.`)
  remark(`Functions deployed with --service-account ${name} act as:`)
  print(email)
}
