declare module 'nspell' {
  /** A Hunspell dictionary, in memory. */
  export default function nspell(dictionary: { readonly aff: Uint8Array; readonly dic: Uint8Array }): {
    correct(word: string): boolean
  }
}
