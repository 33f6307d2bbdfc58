import { afterAll, beforeAll, describe, test } from 'vitest'
import { type IdentityApp, startIdentity } from '../app.ts'
import { newContext, newPerson } from './context.ts'
import type { Context, Module, ResponseType, TestUser } from './plan.ts'
import { resultsOf } from './results.ts'

export interface Plan {
  readonly name: string
  readonly modules: readonly Module[]
  readonly responseType?: ResponseType
  readonly formPost?: boolean
}

/** Runs every module of every plan as a test on one server, and prints the results. */
export function runPlans(plans: readonly Plan[]): void {
  const results = resultsOf(plans.map(({ name }) => name))
  let identity: IdentityApp
  let person: TestUser

  beforeAll(async () => {
    identity = await startIdentity({ trustedProxies: 1 })
    person = await newPerson(identity)
  })
  afterAll(async () => {
    console.log(results.table())
    await identity[Symbol.asyncDispose]()
  })

  for (const plan of plans)
    describe(plan.name, () => {
      const { responseType = 'code', formPost = false } = plan
      let context: Context
      beforeAll(async () => {
        context = await newContext(identity, person, { responseType, formPost })
      })

      for (const module of plan.modules) {
        const applies = module.appliesTo(responseType)
        if (applies !== true) {
          results.notApplicable(plan.name, module.name, applies)
          continue
        }
        test(module.name, { concurrent: !module.alone }, async ({ skip }) => {
          const verdict = await module.run(context)
          if (verdict && 'notApplicable' in verdict) {
            results.notApplicable(plan.name, module.name, verdict.notApplicable)
            return skip(verdict.notApplicable)
          }
          results.passed(plan.name, module.name, verdict?.warning)
        })
      }
    })
}
