/** Origin of an unpacked file. */
export interface UnpackedFrom {
  /** Content of both forms belongs to the packer. */
  readonly packed: Uint8Array
  /** Executed pages; others may contain data of the packer. */
  readonly code: readonly number[]
}

/** A task of the rules thread. */
export type Task =
  | { readonly kind: 'apply'; readonly sources: readonly string[]; readonly files: readonly Uint8Array[] }
  | {
      readonly kind: 'generate'
      readonly file: Uint8Array
      readonly unpacked?: UnpackedFrom
      readonly minLength: number
      readonly ignored: readonly string[]
    }

export interface Match {
  readonly rule: string
  readonly string_information: string[]
}

/** Matches by file, or an error in the rules. */
export type Applied = { readonly matches: readonly Match[][] } | { readonly error: string }

/** Names and definitions of patterns. */
export type Generated = readonly (readonly [name: string, definition: string])[]
