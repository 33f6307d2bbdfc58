/** Where an unpacked file comes from. */
export interface UnpackedFrom {
  /** What is in both forms is the packer's. */
  readonly packed: Uint8Array
  /** Pages with code that ran; the packer's own data lies between others. */
  readonly code: readonly number[]
}

/** What the thread is asked. */
export type Task =
  | { readonly kind: 'apply'; readonly sources: readonly string[]; readonly files: readonly Uint8Array[] }
  | {
      readonly kind: 'generate'
      readonly file: Uint8Array
      readonly unpacked?: UnpackedFrom
      readonly shortest: number
      readonly ignored: readonly string[]
    }

export interface Match {
  readonly rule: string
  readonly string_information: string[]
}

/** Matches by file; or what is wrong with the rules. */
export type Applied = { readonly matches: readonly Match[][] } | { readonly wrong: string }

/** Names and definitions of patterns. */
export type Generated = readonly (readonly [name: string, definition: string])[]
