import { bearerCaller } from '@icosa/dialects/bearer'
import { type Caller, type Context, type Credentials, Failure, type Incoming } from '@icosa/kernel'
import type { OpenModule } from '../modules/store.ts'
import { serviceName } from '../names.ts'
import { locked } from '../pins/pins.ts'
import type { ServiceRuntime } from '../runtime.ts'

/** An authenticated caller of a module. */
export class ModuleCaller implements Caller {
  readonly id: string
  readonly allows: Caller['allows']
  readonly module: OpenModule
  /** Authenticated by the module's PIN instead of a credential of its tenant. */
  readonly isByPin: boolean

  constructor(module: OpenModule, { id, allows }: Omit<Caller, 'tenant'>, isByPin: boolean) {
    this.id = id
    this.allows = allows
    this.module = module
    this.isByPin = isByPin
  }

  get tenant() {
    return this.module.tenant
  }
}

export function moduleOf({ caller }: Pick<Context, 'caller'>): OpenModule {
  return moduleCaller({ caller }).module
}

export function moduleCaller({ caller }: Pick<Context, 'caller'>): ModuleCaller {
  if (!(caller instanceof ModuleCaller)) throw new Error('The caller is not authenticated for a module.')
  return caller
}

/** Management operations, which a PIN does not allow. */
const management = ['Keys_Update', 'Keys_Delete', 'Uses_List', 'Pin_Replace'].map((name) => `${serviceName}:${name}`)
const byPin: Caller['allows'] = (permission) => !management.includes(permission)

/** Authenticates by a token of the module's tenant, or by the module's PIN. */
export async function authenticate(
  incoming: Incoming,
  credentials: Credentials,
  { directory, pins }: Pick<ServiceRuntime, 'directory' | 'pins'>,
): Promise<ModuleCaller | undefined> {
  const { moduleId = '' } = incoming.params
  const find = () => (/^[0-9a-f-]{36}$/.test(moduleId) ? directory.find(moduleId) : undefined)
  const [, basic] = /^basic ([\w+/=-]+)$/i.exec(incoming.headers.authorization?.toString() ?? '') ?? []
  if (basic === undefined) {
    const caller = await bearerCaller(incoming, credentials)
    if (!caller) return undefined
    const module = await find()
    if (module?.tenant !== caller.tenant) throw new Failure('notFound', `The module '${moduleId}' was not found.`)
    return new ModuleCaller(module, caller, false)
  }
  const [, user = '', pin = ''] = /^([^:]{0,100}):(.*)$/s.exec(Buffer.from(basic, 'base64').toString()) ?? []
  const module = await find()
  if (!module || !/^[\x20-\x7e]*$/.test(user)) return undefined
  const id = `pin:${user}`
  const outcome = await pins.try(module, pin, id)
  if (outcome === 'locked') throw locked()
  return outcome === 'right' ? new ModuleCaller(module, { id, allows: byPin }, true) : undefined
}
