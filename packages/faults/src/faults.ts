import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { Failure, type FaultInjector, type InjectedFault, type Service } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import { chance } from './chance.ts'
import { type Fault, type FaultRequest, faultKinds } from './fault.ts'
import { type Target, targetOf } from './targets.ts'

export interface Faults {
  readonly injector: FaultInjector
  /** Refuses faults that could never happen. */
  add(request: FaultRequest): Fault
  list(): Fault[]
  /** Removes one fault, or all. Returns how many. */
  clear(id?: string): number
}

/** Marks a response as injected. */
const faultHeader = 'icosa-fault'

interface ActiveFault extends Fault {
  seen: number
  hit: number
  readonly scope: Target
}

const maxMs = 600_000

/** Fault injection for a node in development mode. Faults are kept in its memory. */
export function openFaults(services: () => readonly Service[]): Faults {
  const active = new Map<string, ActiveFault>()
  let count = 0

  const injector: FaultInjector = (name) => {
    if (active.size === 0) return undefined
    const matching = [...active.values()].filter(({ scope }) => scope.matches(name))
    return matching.length === 0 ? undefined : injectedFault(name, matching)
  }

  return {
    injector,
    add(request) {
      check(request)
      const scope = targetOf(services(), request)
      const id = `f${++count}`
      const { share = 1, seed = 1 } = request
      const fault: ActiveFault = { ...request, id, share, seed, on: scope.on, seen: 0, hit: 0, scope }
      active.set(id, fault)
      return viewOf(fault)
    },
    list: () => [...active.values()].map(viewOf),
    clear(id) {
      if (id === undefined) {
        const removed = active.size
        active.clear()
        return removed
      }
      if (active.delete(id)) return 1
      throw new UsageError(`There is no fault '${id}'. \`icosa faults list\` shows the active ones.`)
    },
  }
}

function check({ kind, share = 1, delayMs, times, code, afterMs = 0, retryAfterSeconds = 1 }: FaultRequest): void {
  const mistake =
    (!faultKinds.includes(kind) && `'${kind}' is not a fault: use one of ${faultKinds.join(', ')}.`) ||
    (!(share > 0 && share <= 1) && 'The share of calls must be more than 0% and at most 100%.') ||
    (kind === 'latency' && !(Number(delayMs) > 0) && 'A latency needs a duration: specify how long it is.') ||
    (!(Number(delayMs ?? 0) <= maxMs && afterMs >= 0 && afterMs <= maxMs) && 'Times are limited to ten minutes.') ||
    (times !== undefined &&
      !(Number.isInteger(times) && times > 0) &&
      'The number of times must be a whole number above 0.') ||
    (!(Number.isInteger(retryAfterSeconds) && retryAfterSeconds >= 0) &&
      'Retry-After must be a whole number of seconds.') ||
    (code !== undefined && kind !== 'error' && 'Only an error has a code.')
  if (mistake) throw new UsageError(mistake)
}

const viewOf = ({ scope: _, ...fault }: ActiveFault): Fault => fault

/** Decides whether this call fails, and counts it. */
function isHit(fault: ActiveFault): boolean {
  if (fault.times !== undefined && fault.hit >= fault.times) return false
  fault.seen++
  if (chance(fault.seed, `${fault.target} ${fault.kind}`, fault.seen) >= fault.share) return false
  fault.hit++
  return true
}

function injectedFault(name: string, matching: readonly ActiveFault[]): InjectedFault {
  const hitting = (on: Fault['on']) => matching.filter((fault) => fault.on === on && isHit(fault))
  return {
    async request(request, response, work) {
      const faults = hitting('requests')
      if (faults.length === 0) return work()
      response.setHeader(faultHeader, faults.map(({ id, kind }) => `${kind} ${id}`).join(', '))
      for (const fault of faults) await failRequest(name, fault, request)
      if (faults.some(({ kind }) => kind === 'dropReply')) disconnectOnReply(request, response)
      return work()
    },
    async job(work, lose) {
      const faults = hitting('jobs')
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

async function failRequest(name: string, fault: ActiveFault, request: IncomingMessage): Promise<void> {
  const { kind, delayMs, retryAfterSeconds = 1 } = fault
  if (kind === 'latency') await sleep(delayMs)
  if (kind === 'throttle') throw new Failure('rateLimited', onPurpose(name, fault), { retryAfterSeconds })
  if (kind === 'error') {
    const { kind: as, code } = fault.scope.errors.get(name) ?? { kind: 'unavailable' }
    throw new Failure(as, onPurpose(name, fault), code === undefined ? {} : { code })
  }
  if (kind !== 'drop') return
  disconnect(request)
  throw new Failure('unavailable', onPurpose(name, fault))
}

const onPurpose = (name: string, { id }: Fault) => `${name} failed on purpose: the fault ${id} of development mode.`

/** Resets the connection without a TLS or HTTP end. */
function disconnect({ socket }: IncomingMessage): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Drops the response of the kernel or of a protocol library. */
function disconnectOnReply(request: IncomingMessage, response: ServerResponse): void {
  response.flushHeaders = () => disconnect(request)
  response.write = () => {
    disconnect(request)
    return false
  }
  response.end = () => {
    disconnect(request)
    return response
  }
}
