import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert, Failure, type Platform } from '@icosa/kernel'
import { openMaterial } from '../keys/sealed.ts'
import * as keyRows from '../keys/store.ts'
import { openSealed } from '../modules/sealed.ts'
import * as modules from '../modules/store.ts'
import type { HsmSettings } from '../settings.ts'
import type { CallName, Input, Output, Pins, TokenConfig } from './calls.ts'
import type { Files } from './files.ts'
import { removeLeftovers } from './leftovers.ts'
import { startProcess, TokenLost, type TokenProcess } from './process/process.ts'

export interface ModuleRef {
  readonly tenant: string
  readonly id: string
}

/** Open tokens of a node, each in its own process. */
export interface Tokens {
  /** Creates a token in a temporary process. Its first use opens the sealed copy. */
  create(id: string, pins: Pins): Promise<Files>
  /** Zeroises the new token of a module that was deleted meanwhile. */
  destroy(id: string, token: { readonly pins: Pins; readonly files: Files }): Promise<void>
  /** Calls the token of a module, after loading keys into it. */
  ask<C extends CallName>(module: ModuleRef, keys: readonly string[], call: C, input: Input<C>): Promise<Output<C>>
  /** Destroys a key in the token on this node or in a device. */
  forget(module: ModuleRef, key: string): Promise<void>
  /** Destroys a token on this node or in a device. */
  zeroise(module: ModuleRef): Promise<void>
  /** Closes deleted and idle tokens, and destroys deleted keys. */
  sweep(): Promise<void>
  close(): Promise<void>
}

interface OpenToken {
  readonly module: ModuleRef
  readonly process: TokenProcess
  readonly loadedKeys: Map<string, Promise<unknown>>
  /** Creation times of keys whose rows may not be committed yet. */
  readonly newKeys: Map<string, number>
  usedAt: number
}

interface ProcessSlot {
  process?: TokenProcess
}

const idleMs = 600_000
/** Age at which a new key without a row is destroyed. */
const maxNewMs = 120_000
const slotWaitMs = 5_000
const keyCreating: ReadonlySet<CallName> = new Set(['make', 'unwrap'])

export function openTokens({ database, cellVault }: Platform, settings: HsmSettings): Tokens {
  const { library, keeps, environment } = settings
  const tokens = new Map<string, Promise<OpenToken>>()
  /** Excludes tokens that are being opened. */
  const ready = new Map<string, OpenToken>()
  const slots = new Set<ProcessSlot>()
  const now = () => performance.now()
  const newConfig = (): TokenConfig => ({
    library,
    keeps,
    environment,
    folder: join(settings.folder, `icosa-token-${process.pid}-${randomUUID()}`),
  })
  removeLeftovers(settings.folder)

  async function start(module: ModuleRef): Promise<OpenToken> {
    const sealed = await modules.sealedToken(database, module)
    if (!sealed) throw new Failure('conflict', 'The module has no token yet: wait until it is provisioned.')
    const { files, pins } = openSealed(await cellVault.of(module.tenant), module.id, sealed)
    const token = await startInSlot(module.id)
    try {
      await token.ask('open', { label: labelOf(module.id), pins, files })
    } catch (error) {
      await token.close()
      throw error
    }
    return { module, process: token, loadedKeys: new Map(), newKeys: new Map(), usedAt: now() }
  }

  async function startInSlot(id: string): Promise<TokenProcess> {
    const slot = await acquireSlot(id)
    try {
      slot.process = startProcess(newConfig())
      return slot.process
    } catch (error) {
      slots.delete(slot)
      throw error
    }
  }

  async function open(module: ModuleRef): Promise<OpenToken> {
    for (;;) {
      const opening = tokens.get(module.id) ?? startOpening(module)
      const token = await opening
      if (token.process.isAlive) return token
      // Only the first of concurrent callers removes a dead process.
      if (tokens.get(module.id) === opening) forgetProcess(module.id)
    }
  }

  function startOpening(module: ModuleRef): Promise<OpenToken> {
    const opening = start(module).then((token) => {
      if (tokens.get(module.id) === opening) ready.set(module.id, token)
      return token
    })
    tokens.set(module.id, opening)
    opening.catch(() => tokens.get(module.id) === opening && forgetProcess(module.id))
    return opening
  }

  function forgetProcess(id: string): void {
    tokens.delete(id)
    ready.delete(id)
  }

  /** Closes the least recently used idle process, or waits for one. */
  async function acquireSlot(id: string): Promise<ProcessSlot> {
    for (const until = now() + slotWaitMs; countSlots() >= settings.processes; await sleep(20)) {
      const idle = [...ready.values()].filter(({ module, process: { running } }) => running === 0 && module.id !== id)
      const oldest = idle.toSorted((a, b) => a.usedAt - b.usedAt)[0]
      if (oldest) await closeToken(oldest)
      else if (now() > until)
        throw new Failure('unavailable', 'This node has too many modules open: try again in a moment.', {
          retryAfterSeconds: 1,
        })
    }
    const slot: ProcessSlot = {}
    slots.add(slot)
    assert(slots.size <= settings.processes, `${slots.size} processes of ${settings.processes} are open.`)
    return slot
  }

  function countSlots(): number {
    for (const slot of slots) if (slot.process?.isAlive === false) slots.delete(slot)
    return slots.size
  }

  async function closeToken(token: OpenToken): Promise<void> {
    if (ready.get(token.module.id) === token) forgetProcess(token.module.id)
    await token.process.close()
  }

  async function loadKey({ module, process: token, loadedKeys }: OpenToken, id: string): Promise<void> {
    if (keeps === 'library') return
    let loading = loadedKeys.get(id)
    if (!loading) {
      loading = (async () => {
        const material = await keyRows.material(database, module, id)
        if (!material) throw new Failure('notFound', 'The key was deleted a moment ago.')
        const vault = await cellVault.of(module.tenant)
        await token.ask('load', { id, files: openMaterial(vault, module.id, material) })
      })()
      loadedKeys.set(id, loading)
      loading.catch(() => loadedKeys.delete(id))
    }
    await loading
  }

  async function askOnce<C extends CallName>(module: ModuleRef, keys: readonly string[], call: C, input: Input<C>) {
    const token = await open(module)
    token.usedAt = now()
    for (const id of keys) await loadKey(token, id)
    if (!keyCreating.has(call)) return token.process.ask(call, input)
    const { id } = input as Input<'make'>
    token.newKeys.set(id, now())
    const output = await token.process.ask(call, input)
    token.loadedKeys.set(id, Promise.resolve())
    return output
  }

  return {
    async create(id, pins) {
      const token = startProcess(newConfig())
      try {
        return await token.ask('create', { label: labelOf(id), pins })
      } finally {
        await token.close()
      }
    },
    async destroy(id, token) {
      if (keeps !== 'library') return // its files were zeroized with the process that created it
      const temporary = startProcess(newConfig())
      try {
        await temporary.ask('open', { label: labelOf(id), ...token })
        await temporary.ask('zeroise', undefined)
      } finally {
        await temporary.close()
      }
    },
    async ask(module, keys, call, input) {
      try {
        return await askOnce(module, keys, call, input)
      } catch (error) {
        // Not retried if the call creates a key: the device may already have created it.
        if (!(error instanceof TokenLost) || keyCreating.has(call)) throw error
        return askOnce(module, keys, call, input)
      }
    },
    async forget(module, key) {
      const token = keeps === 'library' ? await open(module) : await tokens.get(module.id)
      token?.loadedKeys.delete(key)
      token?.newKeys.delete(key)
      if (token?.process.isAlive) await token.process.ask('forget', { ids: [key] })
    },
    async zeroise(module) {
      if (keeps === 'library' && (await modules.sealedToken(database, module)))
        await (await open(module)).process.ask('zeroise', undefined)
      const token = await tokens.get(module.id)?.catch(() => undefined)
      if (token) await closeToken(token)
    },
    async sweep() {
      const all = [...ready.values()]
      if (all.length === 0) return
      const keysOf = ({ loadedKeys, newKeys }: OpenToken) => [...new Set([...loadedKeys.keys(), ...newKeys.keys()])]
      const existing = await modules.existingIds(
        database,
        all.map(({ module }) => module.id),
        all.flatMap(keysOf),
      )
      const time = now()
      for (const token of all) {
        const isIdle = token.process.running === 0 && time - token.usedAt > idleMs
        if (!existing.has(token.module.id) || isIdle || !token.process.isAlive) {
          await closeToken(token)
          continue
        }
        const deleted = keysOf(token).filter((id) => {
          if (!existing.has(id)) return time - (token.newKeys.get(id) ?? -Infinity) > maxNewMs
          token.newKeys.delete(id)
          return false
        })
        for (const id of deleted) token.loadedKeys.delete(id)
        if (deleted.length > 0) await token.process.ask('forget', { ids: deleted })
      }
    },
    async close() {
      for (const token of await Promise.all([...tokens.values()].map((opening) => opening.catch(() => undefined))))
        if (token) await closeToken(token)
    },
  }
}

/** Token label of a module: 32 characters. */
const labelOf = (id: string) => id.replaceAll('-', '')
