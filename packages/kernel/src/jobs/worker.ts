import type { Platform } from '../platform.ts'
import type { Service, StartedService } from '../service.ts'
import { type Claim, claimsName } from './claim.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Rhythm } from './heartbeat-thread.ts'
import { type Job, lanes, payloadOf } from './jobs.ts'
import { startLeader } from './leader.ts'
import { leaderName, openJobs, timersName } from './queue.ts'
import { type QueueLane, queueLane } from './queue-lane.ts'
import { repeat } from './repeat.ts'
import { type Conditions, fireDue, putSchedules, type Schedule } from './timers.ts'

export interface Worker {
  /** Call when there may be work in these queues; in all of them if none is named. */
  wake(names: Iterable<string>): void
  /** Works until nothing is due, or until the signal aborts. For tests and short-lived processes. */
  drain(signal?: AbortSignal): Promise<void>
  /** Graceful shutdown: claims nothing more and waits for running jobs. */
  stop(): Promise<void>
  /** Aborts running jobs; another worker will claim them. */
  abandon(): void
}

export interface WorkerOptions {
  readonly platform: Platform
  readonly services: readonly StartedService[]
  /** Jobs per service, besides punctual ones. */
  readonly concurrency: number
  /** False: works only in `drain()`. */
  readonly background?: boolean
  /** For the connection that renews leases. */
  readonly databaseUrl: string
  readonly heartbeat?: Partial<Rhythm> | undefined
  /** A job's lease expires when its worker has not renewed it for so long. */
  readonly leaseMs?: number | undefined
}

/** A safeguard: the leader wakes workers for jobs whose notification was lost. */
const pollMs = 30_000
/** Punctual jobs are short, so a few slots suffice. */
const punctualSlots = 8

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { platform, services, concurrency, background = true, databaseUrl } = options
  const { database, queue, clock, log } = platform
  await putSchedules(database, clock, schedulesOf(services))
  const slots = { default: concurrency, punctual: punctualSlots }
  const queueLanes = services.flatMap((service) =>
    lanes.map((lane) => queueLane(platform, { service, lane, slots: slots[lane], onClaimed, onFree: ask })),
  )
  const running = () => queueLanes.flatMap((lane) => [...lane.running.values()])
  const ended = () => running().map((lane) => lane.ended)
  const heartbeat = startHeartbeat({ database, databaseUrl, log, running, rhythm: options.heartbeat })

  function onClaimed(claims: readonly Claim[]): void {
    heartbeat.keep(claims)
  }

  const pending = new Set<QueueLane>()
  let lookedAtMs = Number.NEGATIVE_INFINITY

  function ask(lane: QueueLane): void {
    pending.add(lane)
    claiming?.wake()
  }

  /** Fills free slots, in one statement for all lanes with demand; periodically for all lanes. */
  async function claim(): Promise<number> {
    const isTime = performance.now() - lookedAtMs >= pollMs
    if (isTime) lookedAtMs = performance.now()
    const due = isTime ? queueLanes : [...pending]
    pending.clear()
    for (const lane of await claimFrom(due)) pending.add(lane)
    return pending.size > 0 ? 0 : Math.max(0, pollMs - (performance.now() - lookedAtMs))
  }

  /** Returns the lanes to claim from again immediately. */
  async function claimFrom(candidates: readonly QueueLane[]): Promise<readonly QueueLane[]> {
    if (platform.clockProblem()) return []
    const able = candidates.filter((lane) => lane.isFree())
    const supplies = await queue.claim(able.map((lane) => lane.demand()))
    return able.filter((lane, index) => lane.start(supplies[index]))
  }

  const conditions = conditionsOf(services)
  const leader = background
    ? startLeader(platform, { conditions, wakeHere: wake, leaseMs: options.leaseMs })
    : undefined
  const claiming = background ? repeat(claim, log) : undefined

  function wake(names: Iterable<string>): void {
    const affected = new Set(names)
    const concerns = (name: string) => affected.size === 0 || affected.has(name)
    if (concerns(timersName)) leader?.wakeTimers()
    if (concerns(leaderName)) leader?.takeOver()
    if (concerns(claimsName)) heartbeat.look().catch(() => {}) // best effort: the thread checks as well
    for (const lane of queueLanes) if (concerns(lane.name)) ask(lane)
  }

  return {
    wake,
    async drain(signal) {
      const names = queueLanes.map(({ name }) => name)
      const aborted = signal ? [abortOf(signal)] : []
      while (!signal?.aborted) {
        await fireDue(database, queue, clock, conditions)
        await queue.sweep()
        await claimFrom(queueLanes)
        if (running().length > 0) await Promise.race([...ended(), ...aborted])
        else if ((await openJobs(database, names)) === 0) return
        else await new Promise((resolve) => setTimeout(resolve, 20)) // another worker holds the rest
      }
    },
    async stop() {
      await leader?.stop()
      await claiming?.stop()
      await Promise.all(ended())
      await heartbeat.stop()
    },
    abandon() {
      for (const { abort } of running()) abort('lost')
      void heartbeat.stop()
    },
  }
}

const abortOf = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

const scheduleName = (service: Service, job: Pick<Job, 'name'>) => `${service.name}:${job.name}`

const conditionsOf = (services: readonly Service[]): Conditions =>
  new Map(
    services.flatMap((service) =>
      (service.schedules ?? []).flatMap(({ job, hasWork }) =>
        hasWork ? [[scheduleName(service, job), hasWork] as const] : [],
      ),
    ),
  )

const schedulesOf = (services: readonly Service[]): Schedule[] =>
  services.flatMap((service) =>
    (service.schedules ?? []).map(({ job, everyMs }) => {
      const payload = payloadOf(job, 'icosa', {} as never)
      return { name: scheduleName(service, job), everyMs, queue: service.name, payload }
    }),
  )
