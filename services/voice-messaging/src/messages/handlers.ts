import { randomUUID } from 'node:crypto'
import type { Input } from '@icosa/contract'
import { type AnyJob, Failure, implement, invalid, ok, withPreparation } from '@icosa/kernel'
import { programPath } from '@icosa/module'
import type { Shift } from '../calls/shift.ts'
import { newShift } from '../calls/shift.ts'
import * as calls from '../calls/store.ts'
import * as sets from '../configuration-sets/store.ts'
import { noTrunk } from '../lines/none.ts'
import type { VoiceSettings } from '../settings.ts'
import { engineMissing } from '../speech/synthesize.ts'
import { type Rate, spend } from './allowance-store.ts'
import { readContent } from './content.ts'
import { messages as contract } from './contract.ts'

type MessageSettings = Pick<VoiceSettings, 'rate' | 'trunk' | 'simulate' | 'engine'>

export function messages(settings: MessageSettings, dial: AnyJob<Shift>) {
  const { rate } = settings
  const prepare = async ({ body }: Input<typeof contract.SendVoiceMessage>) => {
    const number = body.DestinationPhoneNumber
    if (number === undefined) invalid([{ at: 'body/DestinationPhoneNumber', message: 'is required' }])
    const speech = readContent(body.Content)
    await demandAvailable(settings)
    return { number, speech }
  }
  return implement(contract, {
    SendVoiceMessage: withPreparation(
      prepare,
      async ({ body }, { db, caller: { tenant }, clock, jobs }, { number, speech }) => {
        const { ConfigurationSetName: set = null } = body
        if (set !== null && !(await sets.exists(db, tenant, set)))
          invalid([{ at: 'body/ConfigurationSetName', message: `'${set}' does not exist: create it first` }])
        const now = clock.now()
        const remaining = await spend(db, tenant, rate, now)
        if (remaining < 0) tooMany(rate, remaining)
        const id = randomUUID()
        const [caller, owner] = [body.CallerId ?? null, body.OriginationPhoneNumber ?? null]
        await calls.insert(db, { tenant, id, set, number, caller, owner, speech }, now)
        await jobs.enqueue(dial, newShift())
        return ok({ MessageId: id })
      },
    ),
  })
}

/** Refuses messages that cannot be spoken or delivered. */
async function demandAvailable({ trunk, simulate, engine }: MessageSettings): Promise<void> {
  if (!trunk && !simulate) throw new Failure('unavailable', noTrunk)
  if ((await programPath(engine)) === undefined) throw engineMissing(engine)
}

function tooMany({ perSecond, burst }: Rate, remaining: number): never {
  const retryAfterSeconds = Math.max(1, Math.ceil(-remaining / perSecond))
  throw new Failure(
    'rateLimited',
    `An account may send ${perSecond} messages a second, in bursts of ${burst}: try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
