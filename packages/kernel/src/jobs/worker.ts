import type { Logger } from 'pino'
import type { Platform } from '../platform.ts'
import type { Service, StartedService } from '../service.ts'
import { lanes, payloadOf } from './jobs.ts'
import { type Line, lineOf } from './line.ts'
import { cancelledAmong } from './operations.ts'
import { deadQueueOf, openJobs, timersName } from './queue.ts'
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
}

const pollMs = 2_000
const touchMs = 3_000
const reclaimMs = 1_000
const timersMs = 5_000
/** Punctual jobs are soon done: a few at a time are enough. */
const punctualSlots = 8

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { platform, services, concurrency, background = true } = options
  const { database, queue, clock, log } = platform
  await putSchedules(platform, services)
  const slots = { default: concurrency, punctual: punctualSlots }
  const lines = services.flatMap((service) =>
    [service.name, deadQueueOf(service.name)].flatMap((name) =>
      lanes.map((lane) => lineOf(platform, { service, name, lane, slots: slots[lane], onFree: ask })),
    ),
  )

  async function fireTimers(): Promise<number> {
    queue.wake(await fireDue(database, queue, clock))
    return Math.min((await untilNextMs(database, clock)) ?? timersMs, timersMs)
  }

  /** Says of all that runs that it goes on; aborts what was lost or cancelled. */
  async function touch(): Promise<number> {
    for (const [name, same] of Map.groupBy(lines, (line) => line.name)) {
      const all = same.flatMap(({ running }) => [...running.values()])
      if (all.length === 0) continue
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

  async function reclaim(): Promise<number> {
    queue.wake(await queue.reclaim([...new Set(lines.map(({ name }) => name))]))
    return reclaimMs
  }

  const asked = new Set<Line>()
  let lookedAtMs = Number.NEGATIVE_INFINITY

  function ask(line: Line): void {
    asked.add(line)
    claiming?.wake()
  }

  /** Gives work to free slots, in one statement for all lines that were asked for; from time to time for all there are. */
  async function claim(): Promise<number> {
    const isTime = performance.now() - lookedAtMs >= pollMs
    if (isTime) lookedAtMs = performance.now()
    const wanted = isTime ? lines : [...asked]
    asked.clear()
    for (const line of await claimFrom(wanted)) asked.add(line)
    return asked.size > 0 ? 0 : Math.max(0, pollMs - (performance.now() - lookedAtMs))
  }

  /** Answers the lines that are to be asked again at once. */
  async function claimFrom(wanted: readonly Line[]): Promise<readonly Line[]> {
    const able = wanted.filter((line) => line.isFree())
    const supplies = await queue.claim(able.map((line) => line.demand()))
    return able.filter((line, index) => line.start(supplies[index]))
  }

  const touching = repeat(touch, log)
  const reclaiming = repeat(reclaim, log)
  const timers = background ? repeat(fireTimers, log) : undefined
  const claiming = background ? repeat(claim, log) : undefined
  const running = () => lines.flatMap((line) => [...line.running.values()].map(({ ended }) => ended))

  return {
    wake(names) {
      const wanted = new Set(names)
      const concerns = (name: string) => wanted.size === 0 || wanted.has(name)
      if (concerns(timersName)) timers?.wake()
      for (const line of lines) if (concerns(line.name)) ask(line)
    },
    async drain() {
      const names = lines.map(({ name }) => name)
      for (;;) {
        await fireDue(database, queue, clock)
        await claimFrom(lines)
        if (running().length > 0) await Promise.race(running())
        else if ((await openJobs(database, names)) === 0) return
        else await new Promise((resolve) => setTimeout(resolve, 20)) // another worker holds the rest
      }
    },
    async stop() {
      await timers?.stop()
      await claiming?.stop()
      await reclaiming.stop()
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
