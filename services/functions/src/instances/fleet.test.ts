import { expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { Fleet, type FleetHost } from './fleet.ts'
import type { Instance } from './instance.ts'
import { Abort } from './requests/abort.ts'
import { ask } from './requests/ask.ts'

test('a fleet is not dropped while a request of it may need another instance', async () => {
  const revision = { id: 'r', tenant: 'acme', timeoutMs: 60_000, minInstances: 0, maxInstances: 1 } as Revision
  const fleet = new Fleet(revision, { clock: { now: () => new Date() }, limits: {} } as FleetHost)
  const ended = { inFlight: 1, isEnded: true } as Instance // no longer in the fleet
  fleet.enter = () => ended
  const reply = await ask(fleet, 'id', new Abort(), async () => {
    expect(fleet.isEmpty).toBe(false)
    expect(() => fleet.drop()).toThrow('in use')
    return { is: 'answered' }
  })
  expect(reply).toBeUndefined()
  fleet.drop()
  await expect(fleet.warm()).rejects.toThrow('dropped')
})
