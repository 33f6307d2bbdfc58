import type { EncryptionAlgorithm, WrappingAlgorithm } from '../keys/names.ts'
import type { Files } from './files.ts'
import type { KeySpec } from './keys.ts'
import type { ToSign } from './mechanisms.ts'

/** Library and folder of a token's process. */
export interface TokenConfig {
  readonly library: string
  /** `sealed`: in files, which the platform seals. `library`: by the library itself, such as in a device. */
  readonly keeps: 'sealed' | 'library'
  readonly folder: string
  /** Environment variables of the library. */
  readonly environment: Readonly<Record<string, string>>
}

export interface Pins {
  readonly so: string
  readonly user: string
}

/** A key created in a token. */
export interface TokenKey {
  readonly publicKey: string | null
  readonly files: Files
}

interface Gcm {
  readonly iv: Uint8Array
  readonly aad: Uint8Array
}

/** Calls of a token's process: input and output. Keys are identified by their ids. */
export interface Calls {
  version: [undefined, string]
  create: [{ label: string; pins: Pins }, Files]
  open: [{ label: string; pins: Pins; files: Files }, undefined]
  load: [{ id: string; files: Files }, undefined]
  make: [{ id: string; spec: KeySpec }, TokenKey]
  unwrap: [
    {
      unwrapping: string
      algorithm: WrappingAlgorithm
      wrapped: Uint8Array
      id: string
      spec: KeySpec
      publicKey?: string | undefined
    },
    TokenKey,
  ]
  wrap: [{ wrapping: string; algorithm: WrappingAlgorithm; id: string }, Uint8Array]
  sign: [{ id: string } & ToSign, Uint8Array]
  verify: [{ id: string; signature: Uint8Array } & ToSign, boolean]
  encrypt: [{ id: string; algorithm: EncryptionAlgorithm; data: Uint8Array } & Partial<Gcm>, Uint8Array]
  decrypt: [{ id: string; algorithm: EncryptionAlgorithm; data: Uint8Array } & Partial<Gcm>, Uint8Array]
  /** Destroys keys; ignores unknown ones. */
  forget: [{ ids: readonly string[] }, undefined]
  /** Destroys every key of the token. */
  zeroise: [undefined, undefined]
}
export type CallName = keyof Calls
export type Input<C extends CallName> = Calls[C][0]
export type Output<C extends CallName> = Calls[C][1]
