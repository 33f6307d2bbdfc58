import { expect, test } from 'vitest'
import type { Revision } from '../../revision.ts'
import type { Instance } from '../instance.ts'
import { Abort } from '../requests/abort.ts'
import { invoke } from '../requests/invoke.ts'
import type { FleetHost } from './autoscaler.ts'
import { Fleet } from './fleet.ts'

test('a fleet is not dropped while one of its requests may need another instance', async () => {
  const revision = { id: 'r', tenant: 'acme', timeoutMs: 60_000, minInstances: 0, maxInstances: 1 } as Revision
  const fleet = new Fleet(revision, { clock: { now: () => new Date() }, limits: {} } as FleetHost)
  const ended = { inFlight: 1, isEnded: true } as Instance // no longer in the fleet
  fleet.acquire = () => ended
  const refusal = await invoke(fleet, 'id', new Abort(), async () => {
    expect(fleet.isEmpty).toBe(false)
    expect(() => fleet.drop()).toThrow('in use')
    return { kind: 'answered' }
  })
  expect(refusal).toBeUndefined()
  fleet.drop()
  await expect(fleet.coldStart()).rejects.toThrow('dropped')
})
