import type { Logger } from 'pino'
import type { Platform } from '../platform.ts'
import type { Service } from '../service.ts'
import { cancelledAmong } from './operations.ts'
import { deadQueueOf, openJobs, timersName } from './queue.ts'
import { type Running, runJob } from './run.ts'
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
  readonly services: readonly Service[]
  /** How many jobs of one service run at the same time. */
  readonly concurrency: number
  /** False: works only in `drain()`. */
  readonly background?: boolean
}

const pollMs = 2_000
const touchMs = 3_000
const timersMs = 5_000
const claimLimit = 64

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { platform, services, concurrency, background = true } = options
  const { database, queue, clock, log } = platform
  await putSchedules(platform, services)
  const lines = services.flatMap((service) => [
    lineOf(platform, service, service.name, concurrency),
    lineOf(platform, service, deadQueueOf(service.name), concurrency),
  ])

  async function fireTimers(): Promise<number> {
    queue.wake(await fireDue(database, queue, clock))
    return Math.min((await untilNextMs(database, clock)) ?? timersMs, timersMs)
  }

  /** Says of all that runs that it goes on; aborts what was lost or cancelled. */
  async function touch(): Promise<number> {
    for (const { name, running } of lines) {
      if (running.size === 0) continue
      const all = [...running.values()]
      const held = await queue.touch(
        name,
        all.map(({ claim }) => claim),
      )
      const cancelled = await cancelledAmong(
        database,
        all.flatMap(({ operation }) => operation ?? []),
      )
      for (const { claim, operation, abort } of all) {
        if (!held.has(claim.id)) abort('lost')
        else if (operation && cancelled.has(operation.id)) abort('cancelled')
      }
    }
    return touchMs
  }

  const touching = repeat(touch, log)
  const timers = background ? repeat(fireTimers, log) : undefined
  if (background) for (const line of lines) line.start()
  const running = () => lines.flatMap((line) => [...line.running.values()].map(({ ended }) => ended))

  return {
    wake(names) {
      const wanted = new Set(names)
      const concerns = (name: string) => wanted.size === 0 || wanted.has(name)
      if (concerns(timersName)) timers?.wake()
      for (const line of lines) if (concerns(line.name)) line.wake()
    },
    async drain() {
      const names = lines.map(({ name }) => name)
      for (;;) {
        await fireDue(database, queue, clock)
        for (const { claim } of lines) await claim()
        if (running().length > 0) await Promise.race(running())
        else if ((await openJobs(database, names)) === 0) return
        else await new Promise((resolve) => setTimeout(resolve, 20)) // another worker holds the rest
      }
    },
    async stop() {
      await timers?.stop()
      await Promise.all(lines.map((line) => line.stop()))
      await Promise.all(running())
      await touching.stop()
    },
    abandon() {
      for (const line of lines) for (const { abort } of line.running.values()) abort('lost')
    },
  }
}

async function putSchedules({ database, clock }: Platform, services: readonly Service[]): Promise<void> {
  for (const { name: queue, schedules = [] } of services) {
    for (const { job, everyMs } of schedules) {
      const payload = { job: job.name, tenant: 'icosa', input: {} }
      await putSchedule(database, clock, { name: `${queue}:${job.name}`, everyMs, queue, payload })
    }
  }
}

/** One queue being worked on. */
function lineOf(platform: Platform, service: Service, name: string, concurrency: number) {
  const running = new Map<string, Running>()
  let loop: Loop | undefined

  async function claim(): Promise<number> {
    const free = Math.min(concurrency - running.size, claimLimit)
    if (free <= 0) return pollMs
    const claims = await platform.queue.claim(name, free)
    for (const one of claims) {
      const started = runJob(platform, service, name, one)
      running.set(one.id, started)
      void started.ended.finally(() => {
        const wasFull = running.size >= concurrency
        running.delete(one.id)
        if (wasFull) loop?.wake()
      })
    }
    return claims.length === free ? 0 : pollMs
  }

  return {
    name,
    running,
    claim,
    start() {
      loop = repeat(claim, platform.log)
    },
    wake: () => loop?.wake(),
    stop: async () => loop?.stop(),
  }
}

interface Loop {
  wake(): void
  stop(): Promise<void>
}

/** Takes turns until it is stopped: the next one after as many milliseconds as a turn answers, or when woken. */
function repeat(turn: () => Promise<number>, log: Logger): Loop {
  let stopping = false
  let woken = false
  let wakeUp = () => {}

  async function loop(): Promise<void> {
    while (!stopping) {
      woken = false
      const pauseMs = await turn().catch((error: Error) => {
        log.error({ err: error }, 'the worker could not reach its queue and will try again')
        return pollMs
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
