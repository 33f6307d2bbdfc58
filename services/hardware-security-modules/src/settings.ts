import { group, json, oneOf, Refusal, setting, text, type ValuesOf, wholeNumber } from '@icosa/settings'

const environment = json<Readonly<Record<string, string>>>(
  { is: 'an object of JSON with texts', example: '{"ChrystokiConfigurationPath":"/etc/hsm"}' },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal()
    if (Object.values(value).some((entry) => typeof entry !== 'string')) throw new Refusal()
    return value as Readonly<Record<string, string>>
  },
)

const file = (example: string) => text({ is: 'the path of a file', example })

export const settings = group({
  library: setting(
    'ICOSA_HSM_LIBRARY',
    text({ is: 'the path of a PKCS#11 library', example: '/usr/lib/softhsm/libsofthsm2.so' }),
    {
      required: { where: 'ICOSA_HSM_KEEPS', is: 'library' }, // SoftHSM would store the tokens on one node's disk
      default: '/usr/lib/softhsm/libsofthsm2.so',
      meaning: "The PKCS#11 library behind every module: SoftHSM's, or that of a device.",
    },
  ),
  keeps: setting('ICOSA_HSM_KEEPS', oneOf('sealed', 'library'), {
    default: 'sealed',
    meaning:
      "Where tokens are stored: `sealed`, in the platform's database, which only SoftHSM allows; `library`, by the library itself, such as in a device that all nodes reach.",
  }),
  environment: setting('ICOSA_HSM_ENVIRONMENT', environment, {
    default: '{}',
    secret: true,
    meaning: 'Environment variables for the library of a device; its processes get no others.',
  }),
  folder: setting('ICOSA_HSM_FOLDER', text({ is: 'a folder in memory', example: '/dev/shm' }), {
    default: '/dev/shm',
    meaning: 'Folder for the files of open tokens. Best in memory: they are not needed after a restart.',
  }),
  processes: setting('ICOSA_HSM_PROCESSES', wholeNumber({ from: 1, to: 1_000 }), {
    default: '8',
    meaning: 'Maximum number of modules that a node keeps open, each in its own process of about 60 MB.',
  }),
  modules: setting('ICOSA_HSM_TENANT_MODULES', wholeNumber({ from: 1, to: 1_000 }), {
    default: '20',
    meaning: 'Maximum number of modules per tenant.',
  }),
  keys: setting('ICOSA_HSM_MODULE_KEYS', wholeNumber({ from: 1, to: 100_000 }), {
    default: '1000',
    meaning: 'Maximum number of keys per module.',
  }),
  pinAttempts: setting('ICOSA_HSM_PIN_ATTEMPTS', wholeNumber({ from: 1, to: 1_000 }), {
    default: '10',
    meaning: "Number of consecutive wrong PINs that lock a module's PIN.",
  }),
  remotePort: setting('ICOSA_HSM_REMOTE_PORT', wholeNumber({ from: 1, to: 65_535 }), {
    otherwise: 'modules are used over HTTP only',
    meaning: "The port on which p11-kit's client, and so PKCS#11 applications, can use modules over TLS.",
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
  /** URL template of a module's data plane, with `{id}`. */
  readonly endpoint: string
}

export const defaultSettings: HsmSettings = {
  ...settings.read({}),
  endpoint: 'http://127.0.0.1:4000/hardware-security-modules/modules/{id}',
}

export const endpointOf = ({ endpoint }: Pick<HsmSettings, 'endpoint'>, id: string) => endpoint.replace('{id}', id)
