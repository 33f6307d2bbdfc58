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

export interface Around {
  readonly module: OpenModule
  readonly runtime: RemoteRuntime
  readonly db: ReadingDb
}

/** What the sessions of a caller do; PKCS#11 has it per session, and a login for all of them. */
export interface Session {
  readonly isWriting: boolean
  found?: number[] | undefined
  signing?: Signing | undefined
  deciphering?: Deciphering | undefined
  data: Buffer[]
}

const callerId = 'pin:pkcs11'
/** With more keys than this in a module, those beyond are found by their names. */
const listedLimit = 1_000
const sessionsLimit = 64
export const dataLimit = 1024 * 1024

/** One connection, from its login to its end: what its sessions found and do. */
export class Remote {
  readonly #around: Around
  readonly #sessions = new Map<number, Session>()
  readonly #objects = new Map<number, RemoteObject>()
  readonly #handles = new Map<string, number>()
  #last = 0
  #pin: string | undefined

  constructor(around: Around) {
    this.#around = around
  }

  get isLoggedIn(): boolean {
    return this.#pin !== undefined
  }

  get moduleName(): string {
    return this.#around.module.name
  }

  get moduleId(): string {
    return this.#around.module.id
  }

  open(isWriting: boolean): number {
    if (this.#sessions.size >= sessionsLimit) throw new Refused('DEVICE_ERROR')
    this.#sessions.set(++this.#last, { isWriting, data: [] })
    return this.#last
  }

  session(handle: number): Session {
    const session = this.#sessions.get(handle)
    if (!session) throw new Refused('SESSION_HANDLE_INVALID')
    return session
  }

  /** With the last session, the login ends. */
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
    const nothing = { found: undefined, signing: undefined, deciphering: undefined }
    for (const session of this.#sessions.values()) Object.assign(session, nothing)
  }

  async #demandPin(pin: string): Promise<void> {
    const { runtime, module } = this.#around
    if ((await runtime.directory.find(module.id))?.state !== 'Succeeded') throw new Refused('TOKEN_NOT_PRESENT')
    const outcome = await runtime.pins.try(module, pin, callerId)
    if (outcome !== 'right') throw new Refused(outcome === 'locked' ? 'PIN_LOCKED' : 'PIN_INCORRECT')
  }

  /** For each use anew, as over HTTP. Whose PIN was replaced is logged out, and not counted as one who guesses again and again. */
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
    return new ModuleCaller(this.#around.module, { id: callerId, allows: () => true }, true)
  }

  /** Handles of what fits a template. Whoever is not logged in finds nothing, not even public keys. */
  async find(template: ReadonlyMap<number, Uint8Array | boolean | number>): Promise<number[]> {
    if (!this.isLoggedIn) return []
    await this.#demandLogin()
    const named = template.get(CKA.LABEL) ?? template.get(CKA.ID)
    const found: number[] = []
    for (const key of await this.#keys(named instanceof Uint8Array ? Buffer.from(named).toString() : undefined)) {
      for (const [half, object] of objectsOf(key, this.#caller()).entries()) {
        const handle = this.#handleOf(key.id) + half
        this.#objects.set(handle, object)
        if ([...template].every(([type, value]) => isSame(object.attributes.get(type), value))) found.push(handle)
      }
    }
    return found
  }

  async #keys(name: string | undefined): Promise<store.Row[]> {
    const { db, module } = this.#around
    if (name !== undefined) {
      const row = /^[\w-]{1,64}$/.test(name) ? await store.find(db, module, name) : undefined
      return row ? [row] : []
    }
    const all: store.Row[] = []
    for (let token: string | undefined; all.length < listedLimit; ) {
      const { items, next } = await store.list(db, module, token)
      all.push(...items)
      if (next === undefined) break
      token = next
    }
    return all
  }

  #handleOf(id: string): number {
    const known = this.#handles.get(id)
    if (known !== undefined) return known
    const handle = 2 * this.#handles.size + 1
    this.#handles.set(id, handle)
    return handle
  }

  object(handle: number): RemoteObject {
    const object = this.#objects.get(handle)
    if (!object) throw new Refused('OBJECT_HANDLE_INVALID')
    return object
  }

  /** A key by the handle of its private half. */
  key(handle: number): store.Row {
    const object = this.#objects.get(handle)
    if (object?.attributes.get(CKA.PRIVATE) !== true) throw new Refused('KEY_HANDLE_INVALID')
    return object.key
  }

  /** As over HTTP: who may is looked up, and it is written down before it is told. */
  async sign({ key, toSign }: Signing, data: Buffer): Promise<Uint8Array> {
    await this.#demandLogin()
    const what = toSign(data)
    if (!what) throw new Refused('DATA_INVALID')
    const { runtime, module, db } = this.#around
    const context = { db, runtime: runtime as ServiceRuntime, caller: this.#caller() }
    return use(context, key.name, { operation: 'sign', algorithm: what.algorithm }, async ({ id }) => {
      if (id !== key.id) throw new Refused('KEY_HANDLE_INVALID') // another one has its name by now
      return runtime.tokens.ask(module, [id], 'sign', { id, ...what })
    })
  }

  /** The same for what is to be opened. */
  async decrypt({ key }: Deciphering, data: Buffer): Promise<Uint8Array> {
    await this.#demandLogin()
    const { runtime, module, db } = this.#around
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
