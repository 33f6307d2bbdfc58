import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert, Failure, type Platform } from '@icosa/kernel'
import { openMaterial } from '../keys/sealed.ts'
import * as keyRows from '../keys/store.ts'
import { openSealed } from '../modules/sealed.ts'
import * as modules from '../modules/store.ts'
import type { HsmSettings } from '../settings.ts'
import type { Answered, CallName, Given, Pins, Surroundings } from './calls.ts'
import type { Files } from './files.ts'
import { removeLeftovers } from './leftovers.ts'
import { startProcess, TokenLost, type TokenProcess } from './process/process.ts'

export interface ModuleRef {
  readonly tenant: string
  readonly id: string
}

/** The tokens that a node has open, each in a process of its own. */
export interface Tokens {
  /** A new token, whose process ends at once: whoever uses it opens the sealed copy, as everybody else. */
  create(id: string, pins: Pins): Promise<Files>
  /** Zeroises a token that was made for a module which is no longer there. */
  destroy(id: string, made: { readonly pins: Pins; readonly files: Files }): Promise<void>
  /** Asks the token of a module, which knows the keys with these ids then. */
  ask<C extends CallName>(module: ModuleRef, keys: readonly string[], call: C, given: Given<C>): Promise<Answered<C>>
  /** Destroys a key in the token, if it is on this node or in a device. */
  forget(module: ModuleRef, key: string): Promise<void>
  /** Leaves nothing of a module on this node, or in a device. */
  zeroise(module: ModuleRef): Promise<void>
  /** Closes what is no longer there, or has not been used for long. */
  sweep(): Promise<void>
  close(): Promise<void>
}

interface Open {
  readonly module: ModuleRef
  readonly process: TokenProcess
  /** Keys that it knows; those that it made itself and whose row is not there yet, with the time. */
  readonly known: Map<string, Promise<unknown>>
  readonly fresh: Map<string, number>
  usedAt: number
}

interface Place {
  process?: TokenProcess
}

const idleMs = 600_000
/** How long a key may wait for its row; after that nobody will ever name it. */
const freshMs = 120_000
const placeMs = 5_000
const making: ReadonlySet<CallName> = new Set(['make', 'unwrap'])

export function openTokens({ database, vault }: Platform, settings: HsmSettings): Tokens {
  const { library, keeps, environment } = settings
  const opened = new Map<string, Promise<Open>>()
  /** Those of them that are not just being opened. */
  const ready = new Map<string, Open>()
  /** One for each process that lives or is about to be started. */
  const places = new Set<Place>()
  const now = () => performance.now()
  const surroundings = (): Surroundings => ({
    library,
    keeps,
    environment,
    folder: join(settings.folder, `icosa-token-${process.pid}-${randomUUID()}`),
  })
  removeLeftovers(settings.folder)

  async function start(module: ModuleRef): Promise<Open> {
    const sealed = await modules.sealedToken(database, module)
    if (!sealed) throw new Failure('conflict', 'The module has no token yet: wait until it is provisioned.')
    const { files, pins } = openSealed(vault, module.id, sealed)
    const token = await startInPlace(module.id)
    try {
      await token.ask('open', { label: labelOf(module.id), pins, files })
    } catch (error) {
      await token.close()
      throw error
    }
    return { module, process: token, known: new Map(), fresh: new Map(), usedAt: now() }
  }

  async function startInPlace(id: string): Promise<TokenProcess> {
    const place = await takePlace(id)
    try {
      place.process = startProcess(surroundings())
      return place.process
    } catch (error) {
      places.delete(place)
      throw error
    }
  }

  async function open(module: ModuleRef): Promise<Open> {
    for (;;) {
      const opening = opened.get(module.id) ?? begin(module)
      const one = await opening
      if (one.process.isAlive) return one
      // Of several who find it dead, the first makes way for another.
      if (opened.get(module.id) === opening) forgetProcess(module.id)
    }
  }

  function begin(module: ModuleRef): Promise<Open> {
    const opening = start(module).then((one) => {
      if (opened.get(module.id) === opening) ready.set(module.id, one)
      return one
    })
    opened.set(module.id, opening)
    opening.catch(() => opened.get(module.id) === opening && forgetProcess(module.id))
    return opening
  }

  function forgetProcess(id: string): void {
    opened.delete(id)
    ready.delete(id)
  }

  /** Closes the process that was not used for longest, or waits until one of them is idle. */
  async function takePlace(id: string): Promise<Place> {
    for (const until = now() + placeMs; livingPlaces() >= settings.processes; await sleep(20)) {
      const idle = [...ready.values()].filter(({ module, process: { running } }) => running === 0 && module.id !== id)
      const oldest = idle.toSorted((one, other) => one.usedAt - other.usedAt)[0]
      if (oldest) await shut(oldest)
      else if (now() > until)
        throw new Failure('unavailable', 'This node has as many modules open as it may: try again in a moment.', {
          retryAfterSeconds: 1,
        })
    }
    const place: Place = {}
    places.add(place)
    assert(places.size <= settings.processes, `${places.size} processes of ${settings.processes} are open.`)
    return place
  }

  function livingPlaces(): number {
    for (const place of places) if (place.process?.isAlive === false) places.delete(place)
    return places.size
  }

  async function shut(one: Open): Promise<void> {
    if (ready.get(one.module.id) === one) forgetProcess(one.module.id)
    await one.process.close()
  }

  async function learn({ module, process: token, known }: Open, id: string): Promise<void> {
    if (keeps === 'library') return
    let learning = known.get(id)
    if (!learning) {
      learning = (async () => {
        const material = await keyRows.material(database, module, id)
        if (!material) throw new Failure('notFound', 'The key was deleted a moment ago.')
        await token.ask('load', { id, files: openMaterial(vault, module.id, material) })
      })()
      known.set(id, learning)
      learning.catch(() => known.delete(id))
    }
    await learning
  }

  async function once<C extends CallName>(module: ModuleRef, keys: readonly string[], call: C, given: Given<C>) {
    const one = await open(module)
    one.usedAt = now()
    for (const id of keys) await learn(one, id)
    if (!making.has(call)) return one.process.ask(call, given)
    const { id } = given as Given<'make'>
    one.fresh.set(id, now())
    const made = await one.process.ask(call, given)
    one.known.set(id, Promise.resolve())
    return made
  }

  return {
    async create(id, pins) {
      const token = startProcess(surroundings())
      try {
        return await token.ask('create', { label: labelOf(id), pins })
      } finally {
        await token.close()
      }
    },
    async destroy(id, made) {
      if (keeps !== 'library') return // it went with the process that made it
      const token = startProcess(surroundings())
      try {
        await token.ask('open', { label: labelOf(id), ...made })
        await token.ask('zeroise', undefined)
      } finally {
        await token.close()
      }
    },
    async ask(module, keys, call, given) {
      try {
        return await once(module, keys, call, given)
      } catch (error) {
        // Nobody has seen anything of it: the next process does the same. A device may have made the key.
        if (!(error instanceof TokenLost) || making.has(call)) throw error
        return once(module, keys, call, given)
      }
    },
    async forget(module, key) {
      const one = keeps === 'library' ? await open(module) : await opened.get(module.id)
      one?.known.delete(key)
      one?.fresh.delete(key)
      if (one?.process.isAlive) await one.process.ask('forget', { ids: [key] })
    },
    async zeroise(module) {
      if (keeps === 'library' && (await modules.sealedToken(database, module)))
        await (await open(module)).process.ask('zeroise', undefined)
      const one = await opened.get(module.id)?.catch(() => undefined)
      if (one) await shut(one)
    },
    async sweep() {
      const all = [...ready.values()]
      if (all.length === 0) return
      const keysOf = ({ known, fresh }: Open) => [...new Set([...known.keys(), ...fresh.keys()])]
      const there = await modules.stillThere(
        database,
        all.map(({ module }) => module.id),
        all.flatMap(keysOf),
      )
      const since = now()
      for (const one of all) {
        const isIdle = one.process.running === 0 && since - one.usedAt > idleMs
        if (!there.has(one.module.id) || isIdle || !one.process.isAlive) {
          await shut(one)
          continue
        }
        const gone = keysOf(one).filter((id) => {
          if (!there.has(id)) return since - (one.fresh.get(id) ?? -Infinity) > freshMs
          one.fresh.delete(id)
          return false
        })
        for (const id of gone) one.known.delete(id)
        if (gone.length > 0) await one.process.ask('forget', { ids: gone })
      }
    },
    async close() {
      for (const one of await Promise.all([...opened.values()].map((opening) => opening.catch(() => undefined))))
        if (one) await shut(one)
    },
  }
}

/** By which a library knows the token of a module: 32 characters. */
const labelOf = (id: string) => id.replaceAll('-', '')
