import { hash } from 'node:crypto'

/** Name of a resource, unique across services and accounts. */
export interface Arn {
  readonly service: string
  readonly region: string
  /** Twelve digits, or the tenant's name in old ARNs. */
  readonly account: string
  readonly resource: string
}

/**
 * A tenant's account ID: twelve digits, as ARN parsers expect. Derived from its name, so it need not be stored;
 * `icosa.account_of` is the same in SQL. A name that is such a number is kept.
 */
export function accountOf(tenant: string): string {
  if (/^\d{12}$/.test(tenant)) return tenant
  const number = BigInt(`0x${hash('sha256', tenant).slice(0, 15)}`) % 10n ** 12n
  return String(number).padStart(12, '0')
}

/** Whether an account is a tenant's. Old ARNs contain its name. */
export const isAccountOf = (account: string, tenant: string) => account === accountOf(tenant) || account === tenant

export const arnOf = ({ tenant, ...arn }: Omit<Arn, 'account'> & { readonly tenant: string }) =>
  arnText({ ...arn, account: accountOf(tenant) })

const arnText = ({ service, region, account, resource }: Arn) => `arn:aws:${service}:${region}:${account}:${resource}`

export function parseArn(text: string): Arn | undefined {
  const [, service, region, account, resource] = /^arn:[^:]+:([^:]+):([^:]*):([^:]*):(.+)$/s.exec(text) ?? []
  if (service === undefined || region === undefined || account === undefined || resource === undefined) return undefined
  return { service, region, account, resource }
}

/** Converts an old ARN of the tenant to the current form; other texts are unchanged. */
export function currentArn(text: string, tenant: string): string {
  const arn = parseArn(text)
  return arn?.account === tenant ? arnText({ ...arn, account: accountOf(tenant) }) : text
}
