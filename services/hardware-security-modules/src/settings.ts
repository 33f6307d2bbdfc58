import { group, json, oneOf, Refusal, setting, text, type ValuesOf, wholeNumber } from '@icosa/settings'

const environment = json<Readonly<Record<string, string>>>(
  { is: 'an object of JSON with texts', example: '{"ChrystokiConfigurationPath":"/etc/hsm"}' },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal()
    if (Object.values(value).some((one) => typeof one !== 'string')) throw new Refusal()
    return value as Readonly<Record<string, string>>
  },
)

const file = (example: string) => text({ is: 'the path of a file', example })

/** What an operator decides about hardware security modules. */
export const settings = group({
  library: setting(
    'ICOSA_HSM_LIBRARY',
    text({ is: 'the path of a PKCS#11 library', example: '/usr/lib/softhsm/libsofthsm2.so' }),
    {
      required: { where: 'ICOSA_HSM_KEEPS', is: 'library' }, // SoftHSM would keep the tokens on the disk of one node
      default: '/usr/lib/softhsm/libsofthsm2.so',
      meaning: "The PKCS#11 library behind every module: SoftHSM's, or that of a device.",
    },
  ),
  keeps: setting('ICOSA_HSM_KEEPS', oneOf('sealed', 'library'), {
    default: 'sealed',
    meaning:
      'Who keeps the tokens: `sealed`, the platform, in its database, which only SoftHSM allows; `library`, the library itself, such as a device that all nodes reach.',
  }),
  environment: setting('ICOSA_HSM_ENVIRONMENT', environment, {
    default: '{}',
    secret: true,
    meaning: 'Variables by which the library of a device is configured: its processes get these and no others.',
  }),
  folder: setting('ICOSA_HSM_FOLDER', text({ is: 'a folder in memory', example: '/dev/shm' }), {
    default: '/dev/shm',
    meaning:
      'Where a node has the files of the tokens that it has open. Best in memory: nothing of them is needed again.',
  }),
  processes: setting('ICOSA_HSM_PROCESSES', wholeNumber({ from: 1, to: 1_000 }), {
    default: '8',
    meaning: 'How many modules a node has open at once, each in a process of its own of about 60 MB.',
  }),
  modules: setting('ICOSA_HSM_TENANT_MODULES', wholeNumber({ from: 1, to: 1_000 }), {
    default: '20',
    meaning: 'How many modules a tenant may have.',
  }),
  keys: setting('ICOSA_HSM_MODULE_KEYS', wholeNumber({ from: 1, to: 100_000 }), {
    default: '1000',
    meaning: 'How many keys a module takes.',
  }),
  pinAttempts: setting('ICOSA_HSM_PIN_ATTEMPTS', wholeNumber({ from: 1, to: 1_000 }), {
    default: '10',
    meaning: 'After how many wrong PINs in a row the PIN of a module is locked.',
  }),
  remotePort: setting('ICOSA_HSM_REMOTE_PORT', wholeNumber({ from: 1, to: 65_535 }), {
    otherwise: 'modules are used over HTTP only',
    meaning: "The port at which p11-kit's client, and with it programs that know PKCS#11, use modules over TLS.",
  }),
  remoteAddress: setting('ICOSA_HSM_REMOTE_ADDRESS', text({ is: 'an address of this machine', example: '0.0.0.0' }), {
    default: '127.0.0.1',
    meaning: 'The address on which that port accepts connections.',
  }),
  remoteCertificate: setting('ICOSA_HSM_REMOTE_CERTIFICATE', file('/etc/icosa/modules.crt'), {
    otherwise: 'there is no such port',
    meaning: 'The file with the certificate of that port, in PEM.',
  }),
  remoteKey: setting('ICOSA_HSM_REMOTE_KEY', file('/etc/icosa/modules.key'), {
    otherwise: 'there is no such port',
    meaning: 'The file with the private key of that certificate, in PEM.',
  }),
})

export interface HsmSettings extends ValuesOf<typeof settings> {
  /** Where the data plane of a module is, with `{id}` for its id. */
  readonly endpoint: string
}

export const defaultSettings: HsmSettings = {
  ...settings.read({}),
  endpoint: 'http://127.0.0.1:4000/hardware-security-modules/modules/{id}',
}

export const endpointOf = ({ endpoint }: Pick<HsmSettings, 'endpoint'>, id: string) => endpoint.replace('{id}', id)
