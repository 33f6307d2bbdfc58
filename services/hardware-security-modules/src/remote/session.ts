import { Failure, type ReadingDb } from '@icosa/kernel'
import { CKA, CKU } from '@icosa/pkcs11'
import { ModuleCaller } from '../data-plane/authenticate.ts'
import * as store from '../keys/store.ts'
import { use } from '../keys/use.ts'
import type { OpenModule } from '../modules/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { Refused } from './answers.ts'
import type { Deciphering } from './deciphering.ts'
import { isSame, objectsOf, type RemoteObject } from './objects.ts'
import type { Signing } from './signing.ts'

export type RemoteRuntime = Pick<ServiceRuntime, 'directory' | 'tokens' | 'record' | 'pins'>

export interface RemoteContext {
  readonly module: OpenModule
  readonly runtime: RemoteRuntime
  readonly db: ReadingDb
}

/** Operations in progress. In PKCS#11 they are per session, the login is per connection. */
export interface Session {
  readonly isWriting: boolean
  matches?: number[] | undefined
  signing?: Signing | undefined
  deciphering?: Deciphering | undefined
  data: Buffer[]
}

const callerId = 'pin:pkcs11'
/** Further keys of a module are found by name only. */
const maxListed = 1_000
const maxSessions = 64
export const maxDataBytes = 1024 * 1024

/** State of one connection: login, sessions and objects. */
export class Remote {
  readonly #context: RemoteContext
  readonly #sessions = new Map<number, Session>()
  readonly #objects = new Map<number, RemoteObject>()
  readonly #handles = new Map<string, number>()
  #last = 0
  #pin: string | undefined

  constructor(context: RemoteContext) {
    this.#context = context
  }

  get isLoggedIn(): boolean {
    return this.#pin !== undefined
  }

  get moduleName(): string {
    return this.#context.module.name
  }

  get moduleId(): string {
    return this.#context.module.id
  }

  open(isWriting: boolean): number {
    if (this.#sessions.size >= maxSessions) throw new Refused('DEVICE_ERROR')
    this.#sessions.set(++this.#last, { isWriting, data: [] })
    return this.#last
  }

  session(handle: number): Session {
    const session = this.#sessions.get(handle)
    if (!session) throw new Refused('SESSION_HANDLE_INVALID')
    return session
  }

  /** Closes one session or all. The last one ends the login. */
  close(handle?: number): void {
    if (handle === undefined) this.#sessions.clear()
    else this.#sessions.delete(handle)
    if (this.#sessions.size === 0) this.#pin = undefined
  }

  async login(user: number, pin: string): Promise<void> {
    if (user !== CKU.USER) throw new Refused('USER_TYPE_INVALID')
    if (this.isLoggedIn) throw new Refused('USER_ALREADY_LOGGED_IN')
    await this.#demandPin(pin)
    this.#pin = pin
  }

  logout(): void {
    if (!this.isLoggedIn) throw new Refused('USER_NOT_LOGGED_IN')
    this.#pin = undefined
    this.#objects.clear()
    const reset = { matches: undefined, signing: undefined, deciphering: undefined }
    for (const session of this.#sessions.values()) Object.assign(session, reset)
  }

  async #demandPin(pin: string): Promise<void> {
    const { runtime, module } = this.#context
    if ((await runtime.directory.find(module.id))?.state !== 'Succeeded') throw new Refused('TOKEN_NOT_PRESENT')
    const outcome = await runtime.pins.try(module, pin, callerId)
    if (outcome !== 'right') throw new Refused(outcome === 'locked' ? 'PIN_LOCKED' : 'PIN_INCORRECT')
  }

  /** Checks the PIN for each use, as over HTTP. A replaced PIN ends the login, so that it counts as one wrong attempt. */
  async #demandLogin(): Promise<void> {
    if (this.#pin === undefined) throw new Refused('USER_NOT_LOGGED_IN')
    try {
      await this.#demandPin(this.#pin)
    } catch (error) {
      if (error instanceof Refused) this.#pin = undefined
      throw error
    }
  }

  #caller(): ModuleCaller {
    return new ModuleCaller(this.#context.module, { id: callerId, allows: () => true }, true)
  }

  /** Returns handles of objects that match a template. Without a login there are none, not even public keys. */
  async find(template: ReadonlyMap<number, Uint8Array | boolean | number>): Promise<number[]> {
    if (!this.isLoggedIn) return []
    await this.#demandLogin()
    const label = template.get(CKA.LABEL) ?? template.get(CKA.ID)
    const handles: number[] = []
    for (const key of await this.#keys(label instanceof Uint8Array ? Buffer.from(label).toString() : undefined)) {
      for (const [half, object] of objectsOf(key, this.#caller()).entries()) {
        const handle = this.#handleOf(key.id) + half
        this.#objects.set(handle, object)
        if ([...template].every(([type, value]) => isSame(object.attributes.get(type), value))) handles.push(handle)
      }
    }
    return handles
  }

  async #keys(name: string | undefined): Promise<store.Row[]> {
    const { db, module } = this.#context
    if (name !== undefined) {
      const row = /^[\w-]{1,64}$/.test(name) ? await store.find(db, module, name) : undefined
      return row ? [row] : []
    }
    const rows: store.Row[] = []
    for (let token: string | undefined; rows.length < maxListed; ) {
      const { items, next } = await store.list(db, module, token)
      rows.push(...items)
      if (next === undefined) break
      token = next
    }
    return rows
  }

  #handleOf(id: string): number {
    const existing = this.#handles.get(id)
    if (existing !== undefined) return existing
    const handle = 2 * this.#handles.size + 1
    this.#handles.set(id, handle)
    return handle
  }

  object(handle: number): RemoteObject {
    const object = this.#objects.get(handle)
    if (!object) throw new Refused('OBJECT_HANDLE_INVALID')
    return object
  }

  /** Returns a key by the handle of its private half. */
  key(handle: number): store.Row {
    const object = this.#objects.get(handle)
    if (object?.attributes.get(CKA.PRIVATE) !== true) throw new Refused('KEY_HANDLE_INVALID')
    return object.key
  }

  /** Checks access and records the use, as over HTTP. */
  async sign({ key, toSign }: Signing, data: Buffer): Promise<Uint8Array> {
    await this.#demandLogin()
    const input = toSign(data)
    if (!input) throw new Refused('DATA_INVALID')
    const { runtime, module, db } = this.#context
    const context = { db, runtime: runtime as ServiceRuntime, caller: this.#caller() }
    return use(context, key.name, { operation: 'sign', algorithm: input.algorithm }, async ({ id }) => {
      if (id !== key.id) throw new Refused('KEY_HANDLE_INVALID') // the key was replaced
      return runtime.tokens.ask(module, [id], 'sign', { id, ...input })
    })
  }

  async decrypt({ key }: Deciphering, data: Buffer): Promise<Uint8Array> {
    await this.#demandLogin()
    const { runtime, module, db } = this.#context
    const context = { db, runtime: runtime as ServiceRuntime, caller: this.#caller() }
    const algorithm = 'RSA-OAEP'
    return use(context, key.name, { operation: 'decrypt', algorithm }, async ({ id }) => {
      if (id !== key.id) throw new Refused('KEY_HANDLE_INVALID')
      return runtime.tokens.ask(module, [id], 'decrypt', { id, algorithm, data })
    }).catch((error: unknown) => {
      throw error instanceof Failure && error.kind === 'invalid' ? new Refused('ENCRYPTED_DATA_INVALID') : error
    })
  }
}
