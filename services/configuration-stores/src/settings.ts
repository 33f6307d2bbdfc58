import { BlockList, isIP } from 'node:net'
import { group, json, Refusal, setting, url, wholeNumber } from '@icosa/settings'

/** Networks of private endpoints, by endpoint ID. */
export type PrivateEndpoints = Readonly<Record<string, readonly string[]>>

const privateEndpoints = json<PrivateEndpoints>(
  {
    is: 'a JSON object with a list of networks by the id of each private endpoint',
    example: '{"/subscriptions/mine/privateEndpoints/office":["10.1.0.0/16"]}',
  },
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal()
    for (const networks of Object.values(value)) {
      if (!Array.isArray(networks)) throw new Refusal()
      networksOf(networks)
    }
    return value as PrivateEndpoints
  },
)

/** Throws if one of them is not a network. */
export function networksOf(networks: readonly unknown[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', length] = String(network).split('/')
    const version = isIP(address)
    if (version === 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) throw new Refusal()
    const width = version === 4 ? 32 : 128
    if (Number(length ?? width) > width) throw new Refusal()
    list.addSubnet(address, Number(length ?? width), `ipv${version as 4 | 6}`)
  }
  return list
}

export const settings = group({
  endpoint: setting(
    'ICOSA_CONFIGURATION_ENDPOINT',
    url({
      is: 'an http or https address with {name} in its host name or path',
      example: 'https://{name}.config.example.com',
      schemes: ['http:', 'https:'],
      placeholder: '{name}',
    }),
    {
      otherwise: "the platform's own, with the store in its path",
      meaning:
        "The address of a store in its connection strings; `{name}` is the store. Hosts of their own need a DNS name and a certificate with a wildcard, and must reach the platform's nodes.",
    },
  ),
  privateEndpoints: setting('ICOSA_CONFIGURATION_PRIVATE_ENDPOINTS', privateEndpoints, {
    default: '{}',
    meaning: 'The networks of each private endpoint: requests from them reach a store through it.',
  }),
  keySeconds: setting('ICOSA_CONFIGURATION_KEY_SECONDS', wholeNumber({ from: 1, to: 3_600, unit: 'seconds' }), {
    default: '60',
    meaning:
      'How long a node caches a customer-managed key without asking its HSM. Values stay readable for that long after access is revoked.',
  }),
})

export interface ConfigurationStoresSettings {
  /**
   * The address of a store's key-values, with `{name}` for its name: in the path, as here, or in the host's name, as in
   * `https://{name}.config.example.com`. The path works in any case.
   */
  readonly endpoint: string
  readonly privateEndpoints: PrivateEndpoints
  readonly keySeconds: number
}

/** The endpoint of stores on the platform at an address. */
export const ownEndpoint = (baseUrl: string) => `${baseUrl}/configuration-stores/stores/{name}`

export const defaultSettings: ConfigurationStoresSettings = {
  ...settings.read({}),
  endpoint: ownEndpoint('http://127.0.0.1:4000'),
}

export const endpointOf = ({ endpoint }: Pick<ConfigurationStoresSettings, 'endpoint'>, name: string) =>
  endpoint.replace('{name}', name.toLowerCase())
