import { Failure } from '../errors.ts'

/** Use of a key of another service: to wrap a data key, and unwrap it later. */
export interface KeyUse {
  /** Required owner of the key. */
  readonly tenant: string
  /** Address of the key, as configured by its owner. */
  readonly address: string
  /** Identity of the user in the key's access policy and audit log. */
  readonly caller: string
  /** Associated data of the wrapped data key, if the key supports it. */
  readonly context: string
}

/** A service whose keys other services use for the same tenant. Declared in its manifest. */
export interface KeyHolder {
  /** Whether an address is syntactically that of a key of this kind. */
  isAddress(address: string): boolean
  /** Refuses keys that could not unwrap it again. */
  wrap(use: KeyUse, dataKey: Uint8Array): Promise<Buffer>
  unwrap(use: KeyUse, wrapped: Uint8Array): Promise<Buffer>
}

/** Combines key holders, including those added later. */
export function combineKeys(holders: readonly KeyHolder[]): KeyHolder {
  const holderOf = (address: string) => holders.find((holder) => holder.isAddress(address))
  return {
    isAddress: (address) => holderOf(address) !== undefined,
    wrap: async (use, dataKey) => (holderOf(use.address) ?? noSuchKey()).wrap(use, dataKey),
    unwrap: async (use, wrapped) => (holderOf(use.address) ?? keyUnavailable()).unwrap(use, wrapped),
  }
}

function noSuchKey(): never {
  throw new Failure(
    'notFound',
    'The address is not that of a key on this node: use `<endpoint of a module>/keys/<name of a key>`.',
  )
}

/** The key existed when it wrapped. */
function keyUnavailable(): never {
  throw new Failure('unavailable', 'No service on this node holds the key: run hardware-security-modules on it.')
}
