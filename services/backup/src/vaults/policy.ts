import { accountOf, isAccountOf } from '@icosa/dialects/signed/arn'
import { type Caller, Failure, invalid, notFound } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'
import type { VaultRow } from './store.ts'

interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal: '*' | { readonly AWS?: string | readonly string[] }
  readonly Action: string | readonly string[]
}

const asList = (value: string | readonly string[] = []) => (typeof value === 'string' ? [value] : value)
const supportedElements = ['Sid', 'Effect', 'Principal', 'Action', 'Resource']

/** Rejects a policy that is malformed, or has elements that are not supported. */
export function checkPolicy(text: string): void {
  const at = 'body/Policy'
  const statements = parse(text) ?? invalid([{ at, message: 'must be a policy in JSON, with a list Statement' }])
  for (const [index, statement] of statements.entries()) {
    const position = `${at}/Statement/${index}`
    if (typeof statement !== 'object' || statement === null) invalid([{ at: position, message: 'must be an object' }])
    for (const key of Object.keys(statement))
      if (!supportedElements.includes(key)) notSupported(unsupported.policyElements, `${key} in a policy`)
    const { Effect, Principal, Action } = statement
    if (Effect !== 'Allow' && Effect !== 'Deny')
      invalid([{ at: `${position}/Effect`, message: 'must be Allow or Deny' }])
    const isPrincipal =
      Principal === '*' || (typeof Principal === 'object' && Principal !== null && isTexts(Principal.AWS))
    if (!isPrincipal) invalid([{ at: `${position}/Principal`, message: 'must be "*" or {"AWS": ...}' }])
    if (!isTexts(Action)) invalid([{ at: `${position}/Action`, message: 'must be one action or a list of them' }])
  }
}

function parse(text: string): Statement[] | undefined {
  try {
    const { Statement: statements } = JSON.parse(text)
    return Array.isArray(statements) ? statements : undefined
  } catch {
    return undefined
  }
}

const isTexts = (value: unknown) =>
  typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))

type PolicyCaller = Pick<Caller, 'tenant'>

/** Whether a vault's policy denies an action to its own account. */
export function isDenied({ policy }: Pick<VaultRow, 'policy'>, { tenant }: PolicyCaller, action: string): boolean {
  if (policy === null) return false
  const account = accountOf(tenant)
  const principals = ['*', account, `arn:aws:iam::${account}:root`]
  return (parse(policy) ?? []).some(
    ({ Effect, Principal, Action }) =>
      Effect === 'Deny' &&
      (Principal === '*' || asList(Principal.AWS).some((principal) => principals.includes(principal))) &&
      asList(Action).some((pattern) => matches(pattern, `backup:${action}`)),
  )
}

/**
 * Rejects an action that a vault's policy denies. `Allow` has no effect: callers belong to the vault's own account, and their
 * credentials grant the permissions.
 */
export function demandAllowed(vault: VaultRow, caller: PolicyCaller, action: string): void {
  if (isDenied(vault, caller, action))
    throw new Failure('forbidden', `The access policy of the vault '${vault.name}' denies backup:${action}.`)
}

/** A vault of another account is not found. */
export function demandOwnAccount(account: string | undefined, { tenant }: PolicyCaller, vault: string): void {
  if (account !== undefined && !isAccountOf(account, tenant)) notFound('vault', vault)
}

/** Whether a list for an account includes the caller's. `*` is all accounts of an organization. */
export const isListed = (account: string | undefined, { tenant }: PolicyCaller) =>
  account === undefined || account === '*' || isAccountOf(account, tenant)

/** `*` matches any characters. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split('*')
  const [first = '', ...rest] = parts
  const target = text.toLowerCase()
  if (rest.length === 0) return target === first
  if (!target.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let from = first.length
  for (const part of rest) {
    const index = target.indexOf(part, from)
    if (index < 0) return false
    from = index + part.length
  }
  return target.length - last.length >= from && target.endsWith(last)
}
