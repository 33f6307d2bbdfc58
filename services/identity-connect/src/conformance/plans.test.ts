import { expect, test } from 'vitest'
import { backchannelModules } from '../testing/conformance/modules/backchannel.ts'
import { coreModules } from '../testing/conformance/modules/core.ts'
import { configModules } from '../testing/conformance/modules/discovery.ts'
import { logoutModules } from '../testing/conformance/modules/logout.ts'
import { sessionModules } from '../testing/conformance/modules/session-management.ts'
import { runPlans } from '../testing/conformance/run-plans.ts'

runPlans([
  { name: 'basic: code', responseType: 'code', modules: coreModules },
  { name: 'implicit: id_token', responseType: 'id_token', modules: coreModules },
  { name: 'implicit: id_token token', responseType: 'id_token token', modules: coreModules },
  { name: 'hybrid: code id_token', responseType: 'code id_token', modules: coreModules },
  { name: 'hybrid: code token', responseType: 'code token', modules: coreModules },
  { name: 'hybrid: code id_token token', responseType: 'code id_token token', modules: coreModules },
  { name: 'config', modules: configModules },
  { name: 'session management', modules: sessionModules },
  { name: 'RP-initiated logout', modules: logoutModules },
  { name: 'back-channel logout', modules: backchannelModules },
])

test('every module of the official plans is included exactly once', () => {
  const counts = [coreModules, configModules, sessionModules, logoutModules, backchannelModules].map((modules) => {
    const names = modules.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    return names.length
  })
  expect(counts).toEqual([39, 1, 2, 11, 2])
})
