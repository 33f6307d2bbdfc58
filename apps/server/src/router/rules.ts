import { domainOf } from '@icosa/functions/domain'
import { settings } from '@icosa/functions/settings'
import type { Environment } from '@icosa/settings'
import type { RoutingRule } from '../tenants/routing.ts'
import generated from './rules.json' with { type: 'json' }

/** Stands for the domain of functions in the generated rules. */
export const generatedDomain = 'functions-domain.invalid'

/** Rules of all services: a router is for all of them. They are generated, so that it has to load none. */
export async function rulesIn(env: Environment): Promise<RoutingRule[]> {
  const domain = await domainOf(settings.read(env, {}))
  return (generated as RoutingRule[]).flatMap((rule) => {
    if (rule.host !== generatedDomain) return rule
    return domain === undefined ? [] : { ...rule, host: domain }
  })
}
