import { accountOf, isAccountOf } from '@icosa/dialects/signed/arn'
import { type Caller, Failure, invalid, notFound } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { unsupported } from '../unsupported.ts'
import type { VaultRow } from './store.ts'

interface Statement {
  readonly Effect: 'Allow' | 'Deny'
  readonly Principal: '*' | { readonly AWS?: string | readonly string[] }
  readonly Action: string | readonly string[]
}

const listed = (value: string | readonly string[] = []) => (typeof value === 'string' ? [value] : value)
const known = ['Sid', 'Effect', 'Principal', 'Action', 'Resource']

/** Refuses a policy that is malformed, or that says more than is obeyed here. */
export function checkPolicy(text: string): void {
  const at = 'body/Policy'
  const statements = read(text) ?? invalid([{ at, message: 'must be a policy in JSON, with a list Statement' }])
  for (const [index, one] of statements.entries()) {
    const here = `${at}/Statement/${index}`
    if (typeof one !== 'object' || one === null) invalid([{ at: here, message: 'must be an object' }])
    for (const key of Object.keys(one))
      if (!known.includes(key)) notBuilt(unsupported.policyElements, `${key} in a policy`)
    const { Effect, Principal, Action } = one
    if (Effect !== 'Allow' && Effect !== 'Deny') invalid([{ at: `${here}/Effect`, message: 'must be Allow or Deny' }])
    const isPrincipal =
      Principal === '*' || (typeof Principal === 'object' && Principal !== null && isTexts(Principal.AWS))
    if (!isPrincipal) invalid([{ at: `${here}/Principal`, message: 'must be "*" or {"AWS": ...}' }])
    if (!isTexts(Action)) invalid([{ at: `${here}/Action`, message: 'must be one action or a list of them' }])
  }
}

function read(text: string): Statement[] | undefined {
  try {
    const { Statement: found } = JSON.parse(text)
    return Array.isArray(found) ? found : undefined
  } catch {
    return undefined
  }
}

const isTexts = (value: unknown) =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'))

type Who = Pick<Caller, 'tenant'>

/** Whether the policy of a vault denies something to whoever is of its account. */
export function isDenied({ policy }: Pick<VaultRow, 'policy'>, { tenant }: Who, action: string): boolean {
  if (policy === null) return false
  const account = accountOf(tenant)
  const whom = ['*', account, `arn:aws:iam::${account}:root`]
  return (read(policy) ?? []).some(
    ({ Effect, Principal, Action }) =>
      Effect === 'Deny' &&
      (Principal === '*' || listed(Principal.AWS).some((one) => whom.includes(one))) &&
      listed(Action).some((pattern) => matches(pattern, `backup:${action}`)),
  )
}

/**
 * Refuses what the policy of a vault denies. What it allows is allowed anyway: callers are of the vault's own account, and
 * it is their credentials that say what they may.
 */
export function demandAllowed(vault: VaultRow, caller: Who, action: string): void {
  if (isDenied(vault, caller, action))
    throw new Failure('forbidden', `The access policy of the vault '${vault.name}' denies backup:${action}.`)
}

/** A vault of another account is not found. */
export function demandOwnAccount(account: string | undefined, { tenant }: Who, vault: string): void {
  if (account !== undefined && !isAccountOf(account, tenant)) notFound('vault', vault)
}

/** Whether a list for an account has what is the caller's. `*` is all accounts of an organization. */
export const isListed = (account: string | undefined, { tenant }: Who) =>
  account === undefined || account === '*' || isAccountOf(account, tenant)

/** `*` stands for any characters. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split('*')
  const [first = '', ...rest] = parts
  const target = text.toLowerCase()
  if (rest.length === 0) return target === first
  if (!target.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let from = first.length
  for (const part of rest) {
    const found = target.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return target.length - last.length >= from && target.endsWith(last)
}
