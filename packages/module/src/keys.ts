import { Failure, type OnStop, type Platform } from '@icosa/kernel'

/** A service's use of a key in another service: to wrap its own data key, and unwrap it later. */
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

/** Port to a service that holds keys and lets other services of the same tenant use them. */
export interface KeyHolder {
  /** Whether an address is syntactically that of a key of this kind. */
  isAddress(address: string): boolean
  /** Refuses keys that could not unwrap it again. */
  wrap(use: KeyUse, dataKey: Uint8Array): Promise<Buffer>
  unwrap(use: KeyUse, wrapped: Uint8Array): Promise<Buffer>
}

/** By a node's vault, which all its services share: tests run several nodes in one process. */
const offered = new WeakMap<Platform['vault'], Set<KeyHolder>>()

/** Call in the start of a service that holds keys. */
export function offerKeys(platform: Platform, holder: KeyHolder, onStop: OnStop): void {
  const holders = offered.get(platform.vault) ?? new Set()
  offered.set(platform.vault, holders.add(holder))
  onStop(() => holders.delete(holder))
}

/** The keys of all services on a node, regardless of start order. */
export function keysOf(platform: Platform): KeyHolder {
  const holders = () => [...(offered.get(platform.vault) ?? [])]
  const holderOf = (address: string) => holders().find((holder) => holder.isAddress(address))
  return {
    isAddress: (address) => holderOf(address) !== undefined,
    wrap: async (use, dataKey) => (holderOf(use.address) ?? isNoKey()).wrap(use, dataKey),
    unwrap: async (use, wrapped) => (holderOf(use.address) ?? isElsewhere()).unwrap(use, wrapped),
  }
}

function isNoKey(): never {
  throw new Failure(
    'notFound',
    'The address is not that of a key on this node: use `<endpoint of a module>/keys/<name of a key>`.',
  )
}

/** It was a key when it wrapped. */
function isElsewhere(): never {
  throw new Failure('unavailable', 'No service on this node holds the key: run hardware-security-modules on it.')
}
