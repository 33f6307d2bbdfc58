import type { Logger } from 'pino'
import type { Platform } from '../platform.ts'
import type { Service, StartedService } from '../service.ts'
import { type Claim, claimsName } from './claim.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Rhythm } from './heartbeat-thread.ts'
import { lanes, payloadOf } from './jobs.ts'
import { deadQueueOf, openJobs, timersName } from './queue.ts'
import { type QueueLane, queueLane } from './queue-lane.ts'
import { fireDue, putSchedule, untilNextMs } from './timers.ts'

export interface Worker {
  /** To be called when there may be work in these queues; in all of them if none is named. */
  wake(names: Iterable<string>): void
  /** Works until nothing is left that is due now. For tests and short-lived processes. */
  drain(): Promise<void>
  /** Claims nothing more and waits for what runs. */
  stop(): Promise<void>
  /** Waits no longer: what runs is left to whoever claims it next. */
  abandon(): void
}

export interface WorkerOptions {
  readonly platform: Platform
  readonly services: readonly StartedService[]
  /** How many jobs of one service run at the same time, beside those that must be punctual. */
  readonly concurrency: number
  /** False: works only in `drain()`. */
  readonly background?: boolean
  /** The database's, for the connection that keeps claims. */
  readonly databaseUrl: string
  readonly heartbeat?: Partial<Rhythm> | undefined
}

const pollMs = 2_000
const reclaimMs = 1_000
/** After an outage, workers that are still alive may renew their claims first. */
const gracePeriodMs = 10_000
const timersMs = 5_000
/** Punctual jobs are soon done: a few at a time are enough. */
const punctualSlots = 8

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { platform, services, concurrency, background = true, databaseUrl } = options
  const { database, queue, clock, log } = platform
  await putSchedules(platform, services)
  const slots = { default: concurrency, punctual: punctualSlots }
  const queueLanes = services.flatMap((service) =>
    [service.name, deadQueueOf(service.name)].flatMap((name) =>
      lanes.map((lane) => queueLane(platform, { service, name, lane, slots: slots[lane], onClaimed, onFree: ask })),
    ),
  )
  const running = () => queueLanes.flatMap((lane) => [...lane.running.values()])
  const ended = () => running().map((one) => one.ended)
  const heartbeat = startHeartbeat({ database, databaseUrl, log, running, rhythm: options.heartbeat })

  function onClaimed(claims: readonly Claim[]): void {
    heartbeat.keep(claims)
  }

  async function fireTimers(): Promise<number> {
    if (platform.clockProblem()) return timersMs
    queue.wake(await fireDue(database, queue, clock))
    return Math.min((await untilNextMs(database, clock)) ?? timersMs, timersMs)
  }

  async function reclaim(): Promise<number> {
    queue.wake(await queue.reclaim([...new Set(queueLanes.map(({ name }) => name))]))
    return reclaimMs
  }

  const asked = new Set<QueueLane>()
  let lookedAtMs = Number.NEGATIVE_INFINITY

  function ask(lane: QueueLane): void {
    asked.add(lane)
    claiming?.wake()
  }

  /** Gives work to free slots, in one statement for all lanes that were asked for; from time to time for all there are. */
  async function claim(): Promise<number> {
    const isTime = performance.now() - lookedAtMs >= pollMs
    if (isTime) lookedAtMs = performance.now()
    const due = isTime ? queueLanes : [...asked]
    asked.clear()
    for (const lane of await claimFrom(due)) asked.add(lane)
    return asked.size > 0 ? 0 : Math.max(0, pollMs - (performance.now() - lookedAtMs))
  }

  /** Answers the lanes that are to be asked again at once. */
  async function claimFrom(some: readonly QueueLane[]): Promise<readonly QueueLane[]> {
    if (platform.clockProblem()) return []
    const able = some.filter((lane) => lane.isFree())
    const supplies = await queue.claim(able.map((lane) => lane.demand()))
    return able.filter((lane, index) => lane.start(supplies[index]))
  }

  const reclaiming = repeat(reclaim, log, gracePeriodMs)
  const timers = background ? repeat(fireTimers, log) : undefined
  const claiming = background ? repeat(claim, log) : undefined

  return {
    wake(names) {
      const named = new Set(names)
      const concerns = (name: string) => named.size === 0 || named.has(name)
      if (concerns(timersName)) timers?.wake()
      if (concerns(claimsName)) heartbeat.look().catch(() => {}) // the thread will look, too
      for (const lane of queueLanes) if (concerns(lane.name)) ask(lane)
    },
    async drain() {
      const names = queueLanes.map(({ name }) => name)
      for (;;) {
        await fireDue(database, queue, clock)
        await claimFrom(queueLanes)
        if (running().length > 0) await Promise.race(ended())
        else if ((await openJobs(database, names)) === 0) return
        else await new Promise((resolve) => setTimeout(resolve, 20)) // another worker holds the rest
      }
    },
    async stop() {
      await timers?.stop()
      await claiming?.stop()
      await reclaiming.stop()
      await Promise.all(ended())
      await heartbeat.stop()
    },
    abandon() {
      for (const { abort } of running()) abort('lost')
      void heartbeat.stop()
    },
  }
}

async function putSchedules({ database, clock }: Platform, services: readonly Service[]): Promise<void> {
  for (const { name: queue, schedules = [] } of services) {
    for (const { job, everyMs } of schedules) {
      const payload = payloadOf(job, 'icosa', {} as never)
      await putSchedule(database, clock, { name: `${queue}:${job.name}`, everyMs, queue, payload })
    }
  }
}

interface Loop {
  wake(): void
  stop(): Promise<void>
}

/** Takes turns until it is stopped: the next one after as many milliseconds as a turn answers, or when woken. */
function repeat(turn: () => Promise<number>, log: Logger, afterErrorMs = pollMs): Loop {
  let stopping = false
  let woken = false
  let wakeUp = () => {}

  async function loop(): Promise<void> {
    while (!stopping) {
      woken = false
      const pauseMs = await turn().catch((error: Error) => {
        log.error({ err: error }, 'the worker could not reach its queue and will try again')
        return afterErrorMs
      })
      if (woken || pauseMs === 0) continue
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const looping = loop()
  const wake = () => {
    woken = true
    wakeUp()
  }
  return {
    wake,
    async stop() {
      stopping = true
      wake()
      await looping
    },
  }
}
