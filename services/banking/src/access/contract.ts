import { extensions, identifier, named, Type } from '@icosa/contract'
import { get, IdAnswer, list, many, NothingAnswer, one, post, read, remove } from '../dialect/contract.ts'
import { stamps } from '../shapes/contract.ts'

const Id = named('Id', { id: Type.Integer() })
const Token = named('Token', { ...stamps, token: Type.String() })
const ServerPublicKey = named('ServerPublicKey', { server_public_key: Type.String() })
const Device = named('DeviceServer', {
  ...stamps,
  description: Type.String(),
  ip: Type.String(),
  status: Type.String(),
})
const secret = Type.String({ minLength: 1, maxLength: 300 })

export const access = extensions({
  createInstallation: post('/installation', {
    summary: 'Register the public key that signs requests. Returns our public key and a token.',
    body: named('NewInstallation', { client_public_key: Type.String({ maxLength: 2_000 }) }),
    replies: {
      200: named('InstallationAnswer', {
        Response: Type.Array(
          named('InstallationPart', {
            Id: Type.Optional(Id),
            Token: Type.Optional(Token),
            ServerPublicKey: Type.Optional(ServerPublicKey),
          }),
        ),
      }),
    },
    open: true,
  }),
  listInstallations: read('/installation', 'List the calling installation.', many('Id', Id)),
  getInstallation: read('/installation/{itemId}', 'Read the calling installation.', one('Id', Id)),
  listServerPublicKeys: get('/installation/{installationID}/server-public-key', {
    summary: 'List the key that signs our responses.',
    replies: { 200: many('ServerPublicKey', ServerPublicKey) },
  }),

  createDeviceServer: post('/device-server', {
    summary: 'Register the installation as a device of the user who owns the secret.',
    body: named('NewDeviceServer', {
      description: Type.String({ minLength: 1, maxLength: 200 }),
      secret,
      permitted_ips: Type.Optional(Type.Array(Type.String({ maxLength: 45 }), { maxItems: 100 })),
    }),
    replies: { 200: IdAnswer },
  }),
  listDeviceServers: list('/device-server', 'List the devices of the user.', many('DeviceServer', Device)),
  getDeviceServer: read('/device-server/{itemId}', 'Read a device of the user.', one('DeviceServer', Device)),
  listDevices: list('/device', 'List the devices of the user.', many('DeviceServer', Device)),
  getDevice: read('/device/{itemId}', 'Read a device of the user.', one('DeviceServer', Device)),

  createSessionServer: post('/session-server', {
    summary: 'Open a session for the user who owns the secret.',
    body: named('NewSession', { secret }),
    replies: {
      200: named('SessionAnswer', {
        Response: Type.Array(
          named('SessionPart', {
            Id: Type.Optional(Id),
            Token: Type.Optional(Token),
            UserPerson: Type.Optional(Type.Record(Type.Unknown())),
            UserCompany: Type.Optional(Type.Record(Type.Unknown())),
            UserApiKey: Type.Optional(Type.Record(Type.Unknown())),
          }),
        ),
      }),
    },
  }),
  deleteSession: remove('/session/{itemId}', {
    summary: 'End a session; 0 is the current one.',
    params: { itemId: identifier('session', { pattern: '^(0|[1-9][0-9]{0,14})$' }) },
    replies: { 200: NothingAnswer },
  }),
})
