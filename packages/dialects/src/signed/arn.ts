import { hash } from 'node:crypto'

/** The name of a resource, over all services and accounts. */
export interface Arn {
  readonly service: string
  readonly region: string
  /** Twelve digits, or the name of a tenant in ARNs of before. */
  readonly account: string
  readonly resource: string
}

/**
 * The account of a tenant: twelve digits, as whatever takes ARNs apart expects. It is derived from the tenant's name, so
 * nobody has to keep it; `icosa.account_of` is the same in SQL. A tenant whose name is such a number has it.
 */
export function accountOf(tenant: string): string {
  if (/^\d{12}$/.test(tenant)) return tenant
  const number = BigInt(`0x${hash('sha256', tenant).slice(0, 15)}`) % 10n ** 12n
  return String(number).padStart(12, '0')
}

/** Whether an ARN is of a tenant. Those that were written before accounts had numbers have its name. */
export const isAccountOf = (account: string, tenant: string) => account === accountOf(tenant) || account === tenant

export const arnOf = ({ tenant, ...arn }: Omit<Arn, 'account'> & { readonly tenant: string }) =>
  written({ ...arn, account: accountOf(tenant) })

const written = ({ service, region, account, resource }: Arn) => `arn:aws:${service}:${region}:${account}:${resource}`

export function parseArn(text: string): Arn | undefined {
  const [, service, region, account, resource] = /^arn:[^:]+:([^:]+):([^:]*):([^:]*):(.+)$/s.exec(text) ?? []
  if (service === undefined || region === undefined || account === undefined || resource === undefined) return undefined
  return { service, region, account, resource }
}

/** An ARN of the tenant as it is written now; any other text as it is. */
export function currentArn(text: string, tenant: string): string {
  const arn = parseArn(text)
  return arn?.account === tenant ? written({ ...arn, account: accountOf(tenant) }) : text
}
