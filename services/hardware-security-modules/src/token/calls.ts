import type { EncryptionAlgorithm, WrappingAlgorithm } from '../keys/names.ts'
import type { Files } from './files.ts'
import type { KeySpec } from './keys.ts'
import type { ToSign } from './mechanisms.ts'

/** Where a token's process finds its library, and where the files of the token are, if the library keeps it in files. */
export interface Surroundings {
  readonly library: string
  /** `sealed`: in files, which the platform seals. `library`: wherever the library keeps tokens, such as in a device. */
  readonly keeps: 'sealed' | 'library'
  readonly folder: string
  /** Variables by which the library of a device is configured. */
  readonly environment: Readonly<Record<string, string>>
}

export interface Pins {
  readonly so: string
  readonly user: string
}

/** What a key is once it is there. */
export interface MadeKey {
  readonly publicKey: string | null
  readonly files: Files
}

interface Gcm {
  readonly iv: Uint8Array
  readonly aad: Uint8Array
}

/** All that a token's process does: what it is given, and what it answers. Keys go by their ids. */
export interface Calls {
  version: [undefined, string]
  create: [{ label: string; pins: Pins }, Files]
  open: [{ label: string; pins: Pins; files: Files }, undefined]
  load: [{ id: string; files: Files }, undefined]
  make: [{ id: string; spec: KeySpec }, MadeKey]
  unwrap: [
    {
      unwrapping: string
      algorithm: WrappingAlgorithm
      wrapped: Uint8Array
      id: string
      spec: KeySpec
      publicKey?: string | undefined
    },
    MadeKey,
  ]
  wrap: [{ wrapping: string; algorithm: WrappingAlgorithm; id: string }, Uint8Array]
  sign: [{ id: string } & ToSign, Uint8Array]
  verify: [{ id: string; signature: Uint8Array } & ToSign, boolean]
  encrypt: [{ id: string; algorithm: EncryptionAlgorithm; data: Uint8Array } & Partial<Gcm>, Uint8Array]
  decrypt: [{ id: string; algorithm: EncryptionAlgorithm; data: Uint8Array } & Partial<Gcm>, Uint8Array]
  /** Destroys keys; nothing happens for those that are not there. */
  forget: [{ ids: readonly string[] }, undefined]
  /** Destroys every key of the token. */
  zeroise: [undefined, undefined]
}
export type CallName = keyof Calls
export type Given<C extends CallName> = Calls[C][0]
export type Answered<C extends CallName> = Calls[C][1]
