import { randomInt } from 'node:crypto'
import {
  anonymous,
  type Caller,
  Failure,
  implement,
  notFound,
  ok,
  type ReadingContext,
  type ReadingDb,
} from '@icosa/kernel'
import { InstallationCaller, SessionCaller } from '../dialect/caller.ts'
import { created, emptyReply, itemReply, listed, type PageQuery } from '../dialect/reply.ts'
import { readPublicKey } from '../dialect/signature.ts'
import { clients } from '../oauth/applications.ts'
import { grants } from '../oauth/grants.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { findUser, type User } from '../users/store.ts'
import { wrapped } from '../users/view.ts'
import { access as contract } from './contract.ts'
import * as store from './store.ts'
import { hashOf, newSecret, sealInstallation, tenantOf } from './tokens.ts'

/** Returns the owner of a key, and its tenant. */
async function userBySecret(db: ReadingDb, secret: string): Promise<store.KeyOwner & { tenant: string }> {
  const tenant = tenantOf(secret, 'sandbox')
  const owner = tenant === undefined ? undefined : await store.ownerOfKey(db, tenant, hashOf(secret))
  if (tenant === undefined || owner === undefined)
    throw new Failure('invalid', 'User credentials are incorrect. Incorrect API key or IP address.')
  return { tenant, ...owner }
}

function installed(caller: Caller): InstallationCaller {
  if (caller instanceof InstallationCaller) return caller
  throw new Failure('invalid', 'Call with an installation token: POST /installation returns one.')
}

function installationId(caller: Caller): string {
  if (caller instanceof InstallationCaller) return caller.installation.id
  return caller instanceof SessionCaller ? caller.installation : notFound('installation', 'of this key')
}

function ownUser(caller: Caller): string {
  return caller instanceof SessionCaller ? caller.user : notFound('device', 'of this key')
}

const noLinks = { future_url: null, newer_url: null, older_url: null }
const toDevice = ({ id, description, ip, createdAt }: store.Device) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(createdAt),
  description,
  ip,
  status: 'ACTIVE',
})

async function devices({ db, caller }: Pick<ReadingContext, 'db' | 'caller'>) {
  if (!(caller instanceof SessionCaller)) return []
  return (await store.devicesOf(db, caller.tenant, caller.user)).map(toDevice)
}

async function deviceList({ query }: { query: PageQuery }, context: Pick<ReadingContext, 'db' | 'caller'>) {
  return listed(
    'DeviceServer',
    query,
    await devices(context),
    (device) => device,
    ({ id }) => id,
  )
}

async function device({ params }: { params: { itemId: string } }, context: Pick<ReadingContext, 'db' | 'caller'>) {
  ownUser(context.caller)
  const all = await devices(context)
  return itemReply(
    'DeviceServer',
    all.find(({ id }) => String(id) === params.itemId) ?? notFound('device', params.itemId),
  )
}

/** Returns an application's owner and the user who authorized it; fails if either side deactivated it. */
async function applicationOf(db: ReadingDb, tenant: string, grant: string, user: User) {
  const consent = await grants.findAny(db, tenant, grant)
  const client = consent?.parent ? await clients.findAny(db, tenant, consent.parent) : undefined
  const owner = client && (await findUser(db, tenant, client.user))
  if (!consent || !owner || consent.status !== 'ACTIVE' || client.status !== 'ACTIVE')
    throw new Failure('invalid', 'User credentials are incorrect. The application is not active.')
  const at = momentOf(consent.createdAt)
  const both = { requested_by_user: wrapped(owner), granted_by_user: wrapped(user) }
  return { UserApiKey: { id: Number(user.id), created: at, updated: at, ...both } }
}

export const access = implement<typeof contract, ServiceRuntime>(contract, {
  async createInstallation({ body }, { clock, runtime, caller }) {
    runtime.limitAddress(anonymous(caller).ip)
    const publicKey = readPublicKey(body.client_public_key).export({ type: 'spki', format: 'pem' }).toString()
    const id = String(randomInt(1, 2 ** 48 - 1))
    const at = momentOf(clock.now())
    const token = sealInstallation(runtime.installationKey, { id, publicKey, createdAt: at })
    return ok({
      Response: [
        { Id: { id: Number(id) } },
        { Token: { id: Number(id), created: at, updated: at, token } },
        { ServerPublicKey: { server_public_key: runtime.serverKey.publicKey } },
      ],
    })
  },
  listInstallations: async (_, { caller }) =>
    ok({ Response: [{ Id: { id: Number(installationId(caller)) } }], Pagination: noLinks }),
  async getInstallation({ params: { itemId } }, { caller }) {
    return created(installationId(caller) === itemId ? itemId : notFound('installation', itemId))
  },
  async listServerPublicKeys({ params: { installationID } }, { caller, runtime }) {
    if (installationId(caller) !== installationID) notFound('installation', installationID)
    return ok({
      Response: [{ ServerPublicKey: { server_public_key: runtime.serverKey.publicKey } }],
      Pagination: noLinks,
    })
  },

  async createDeviceServer({ body: { description, secret, permitted_ips: ips = [] } }, { db, caller, clock }) {
    const { installation, ip } = installed(caller)
    const { tenant, user } = await userBySecret(db, secret)
    const permittedIps = ips.length > 0 ? ips : [ip]
    const { id: installationId, publicKey } = installation
    const device = { user, installation: installationId, publicKey, description, ip, permittedIps }
    const id = await store.insertDevice(db, tenant, device, clock.now())
    if (id === undefined) throw new Failure('invalid', 'This installation is already registered for this key.')
    return created(id)
  },
  listDeviceServers: deviceList,
  getDeviceServer: device,
  listDevices: deviceList,
  getDevice: device,

  async createSessionServer({ body }, { db, caller, clock }) {
    const { installation, ip } = installed(caller)
    const { tenant, user: id, grant } = await userBySecret(db, body.secret)
    const device = await store.deviceOf(db, tenant, installation.id, id)
    if (device === undefined || !device.allows(ip))
      throw new Failure('invalid', 'User credentials are incorrect. Incorrect API key or IP address.')
    const user = (await findUser(db, tenant, id)) ?? notFound('user', id)
    const at = clock.now()
    const { token, hash } = newSecret('session', tenant)
    const expiresAt = new Date(at.getTime() + user.sessionTimeout * 1_000)
    const session = await store.insertSession(db, tenant, {
      device: device.id,
      user: id,
      grant,
      hash,
      at,
      expiresAt,
    })
    const stamps = { id: Number(session), created: momentOf(at), updated: momentOf(at) }
    const view = grant === null ? wrapped(user) : await applicationOf(db, tenant, grant, user)
    return ok({ Response: [{ Id: { id: Number(session) } }, { Token: { ...stamps, token } }, view] })
  },
  async deleteSession({ params: { itemId } }, { db, caller }) {
    const user = ownUser(caller)
    const id = itemId === '0' && caller instanceof SessionCaller ? caller.session : itemId
    if (!(await store.removeSession(db, caller.tenant, user, id))) notFound('session', itemId)
    return emptyReply()
  },
})
