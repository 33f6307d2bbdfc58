import { randomUUID } from 'node:crypto'
import { type AnyJob, Failure, implement, invalid, ok } from '@icosa/kernel'
import type { Shift } from '../calls/shift.ts'
import { newShift } from '../calls/shift.ts'
import * as calls from '../calls/store.ts'
import * as sets from '../configuration-sets/store.ts'
import type { VoiceSettings } from '../settings.ts'
import { type Rate, spend } from './allowance-store.ts'
import { readContent } from './content.ts'
import { messages as contract } from './contract.ts'

export function messages({ rate }: Pick<VoiceSettings, 'rate'>, dial: AnyJob<Shift>) {
  return implement(contract, {
    async SendVoiceMessage({ body }, { db, caller: { tenant }, clock, jobs }) {
      const { DestinationPhoneNumber: number, ConfigurationSetName: set = null } = body
      if (number === undefined) invalid([{ at: 'body/DestinationPhoneNumber', message: 'is required' }])
      const speech = readContent(body.Content)
      if (set !== null && !(await sets.exists(db, tenant, set)))
        invalid([{ at: 'body/ConfigurationSetName', message: `'${set}' does not exist: create it first` }])
      const now = clock.now()
      const left = await spend(db, tenant, rate, now)
      if (left < 0) tooMany(rate, left)
      const id = randomUUID()
      const [caller, owner] = [body.CallerId ?? null, body.OriginationPhoneNumber ?? null]
      await calls.insert(db, { tenant, id, set, number, caller, owner, speech }, now)
      await jobs.enqueue(dial, newShift())
      return ok({ MessageId: id })
    },
  })
}

function tooMany({ perSecond, burst }: Rate, left: number): never {
  const retryAfterSeconds = Math.max(1, Math.ceil(-left / perSecond))
  throw new Failure(
    'rateLimited',
    `An account may send ${perSecond} messages a second and ${burst} at once: try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
