import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { type Around, type Disturbance, Failure, type Service } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import { chance } from './chance.ts'
import { type Fault, type FaultRequest, faultKinds } from './fault.ts'
import { type Target, targetOf } from './targets.ts'

export interface Faults {
  /** For a node: what befalls its requests and jobs. */
  readonly around: Around
  /** From now on. Refuses what could never happen. */
  add(request: FaultRequest): Fault
  list(): Fault[]
  /** Ends one, or all. Answers how many. */
  clear(id?: string): number
}

/** By which an answer says that it is none of the service's own. */
const faultHeader = 'icosa-fault'

interface InForce extends Fault {
  seen: number
  hit: number
  readonly befalls: Target
}

const longestMs = 600_000

/** Faults on purpose. They are in the memory of a node of development mode, and end with it. */
export function openFaults(services: () => readonly Service[]): Faults {
  const inForce = new Map<string, InForce>()
  let count = 0

  const around: Around = (name) => {
    if (inForce.size === 0) return undefined
    const own = [...inForce.values()].filter(({ befalls }) => befalls.fits(name))
    return own.length === 0 ? undefined : disturbance(name, own)
  }

  return {
    around,
    add(request) {
      check(request)
      const befalls = targetOf(services(), request)
      const id = `f${++count}`
      const { share = 1, seed = 1 } = request
      const fault: InForce = { ...request, id, share, seed, on: befalls.on, seen: 0, hit: 0, befalls }
      inForce.set(id, fault)
      return shown(fault)
    },
    list: () => [...inForce.values()].map(shown),
    clear(id) {
      if (id === undefined) {
        const all = inForce.size
        inForce.clear()
        return all
      }
      if (inForce.delete(id)) return 1
      throw new UsageError(`There is no fault '${id}'. \`icosa faults list\` shows those in force.`)
    },
  }
}

function check({ kind, share = 1, delayMs, times, code, afterMs = 0, retryAfterSeconds = 1 }: FaultRequest): void {
  const wrong =
    (!faultKinds.includes(kind) && `'${kind}' is no fault: it is one of ${faultKinds.join(', ')}.`) ||
    (!(share > 0 && share <= 1) && 'The share of calls is more than 0% and at most 100%.') ||
    (kind === 'latency' && !(Number(delayMs) > 0) && 'Say how long a latency is.') ||
    (!(Number(delayMs ?? 0) <= longestMs && afterMs >= 0 && afterMs <= longestMs) && 'Ten minutes are the longest.') ||
    (times !== undefined && !(Number.isInteger(times) && times > 0) && 'The number of times is a whole one above 0.') ||
    (!(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 0) && 'Retry-After is a whole number of seconds.') ||
    (code !== undefined && kind !== 'error' && 'Only an error has a code.')
  if (wrong) throw new UsageError(wrong)
}

const shown = ({ befalls: _, ...fault }: InForce): Fault => fault

/** Whether a fault befalls this call. */
function strikes(fault: InForce): boolean {
  if (fault.times !== undefined && fault.hit >= fault.times) return false
  fault.seen++
  if (chance(fault.seed, `${fault.target} ${fault.kind}`, fault.seen) >= fault.share) return false
  fault.hit++
  return true
}

function disturbance(name: string, own: readonly InForce[]): Disturbance {
  const struck = (on: Fault['on']) => own.filter((fault) => fault.on === on && strikes(fault))
  return {
    async request(request, response, work) {
      const faults = struck('requests')
      if (faults.length === 0) return work()
      response.setHeader(faultHeader, faults.map(({ id, kind }) => `${kind} ${id}`).join(', '))
      for (const fault of faults) await before(name, fault, request)
      if (faults.some(({ kind }) => kind === 'dropReply')) cutWhenAnswered(request, response)
      return work()
    },
    async job(work, lose) {
      const faults = struck('jobs')
      for (const fault of faults) {
        if (fault.kind === 'latency') await sleep(fault.delayMs)
        if (fault.kind === 'error') throw new Failure('unavailable', onPurpose(name, fault))
      }
      const stop = faults.find(({ kind }) => kind === 'stop')
      if (!stop) return work()
      const { afterMs = 0 } = stop
      if (afterMs === 0) {
        lose()
        throw new Error(onPurpose(name, stop))
      }
      const timer = setTimeout(lose, afterMs)
      return work().finally(() => clearTimeout(timer))
    },
  }
}

async function before(name: string, fault: InForce, request: IncomingMessage): Promise<void> {
  const { kind, delayMs, retryAfterSeconds = 1 } = fault
  if (kind === 'latency') await sleep(delayMs)
  if (kind === 'throttle') throw new Failure('rateLimited', onPurpose(name, fault), { retryAfterSeconds })
  if (kind === 'error') {
    const { kind: as, code } = fault.befalls.errors.get(name) ?? { kind: 'unavailable' }
    throw new Failure(as, onPurpose(name, fault), code === undefined ? {} : { code })
  }
  if (kind !== 'drop') return
  cut(request)
  throw new Failure('unavailable', onPurpose(name, fault))
}

const onPurpose = (name: string, { id }: Fault) => `${name} failed on purpose: the fault ${id} of development mode.`

/** As a cable that is pulled: no end, no error, nothing. */
function cut({ socket }: IncomingMessage): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Whoever answers, the kernel or a protocol library: nothing of it leaves. */
function cutWhenAnswered(request: IncomingMessage, response: ServerResponse): void {
  response.flushHeaders = () => cut(request)
  response.write = () => {
    cut(request)
    return false
  }
  response.end = () => {
    cut(request)
    return response
  }
}
