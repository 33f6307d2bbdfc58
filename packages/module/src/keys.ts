import { Failure, type OnStop, type Platform } from '@icosa/kernel'

/** What a service does with a key that another service holds: it wraps a data key of its own, and unwraps it later. */
export interface KeyUse {
  /** Whose key it must be. */
  readonly tenant: string
  /** Of the key, as its owner wrote it down. */
  readonly address: string
  /** By which the access of the key, and the record of its uses, name who uses it. */
  readonly caller: string
  /** What the wrapped data key is bound to, where the key can do that. */
  readonly context: string
}

/** A service that holds keys and lets others of the same tenant use them: the port between the two. */
export interface KeyHolder {
  /** Whether an address is that of a key of its kind, whosever, and whether or not it is there. */
  isAddress(address: string): boolean
  /** Refuses a key with which it could not be unwrapped again. */
  wrap(use: KeyUse, dataKey: Uint8Array): Promise<Buffer>
  unwrap(use: KeyUse, wrapped: Uint8Array): Promise<Buffer>
}

/** By the vault of a node, which all its services share: several nodes may be in one process, as in tests. */
const offered = new WeakMap<Platform['vault'], Set<KeyHolder>>()

/** To be called by the start of a service that holds keys. */
export function offerKeys(platform: Platform, holder: KeyHolder, onStop: OnStop): void {
  const holders = offered.get(platform.vault) ?? new Set()
  offered.set(platform.vault, holders.add(holder))
  onStop(() => holders.delete(holder))
}

/** The keys of all services on a node, whichever started first. */
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
    'It is not the address of a key that this node knows: give `<endpoint of a module>/keys/<name of a key>`.',
  )
}

/** It was a key when it wrapped. */
function isElsewhere(): never {
  throw new Failure('unavailable', 'No service on this node holds the key: run it with hardware-security-modules, too.')
}
