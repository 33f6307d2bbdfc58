/** The name of a resource, over all services and accounts. */
export interface Arn {
  readonly service: string
  readonly region: string
  /** The tenant. */
  readonly account: string
  readonly resource: string
}

export const arnOf = ({ service, region, account, resource }: Arn) =>
  `arn:aws:${service}:${region}:${account}:${resource}`

export function parseArn(text: string): Arn | undefined {
  const [, service, region, account, resource] = /^arn:[^:]+:([^:]+):([^:]*):([^:]*):(.+)$/s.exec(text) ?? []
  if (service === undefined || region === undefined || account === undefined || resource === undefined) return undefined
  return { service, region, account, resource }
}
