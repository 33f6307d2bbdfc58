import { domainToASCII, domainToUnicode } from 'node:url'
import { lineOf } from './text.ts'

const longest = 254
// Without quoted local parts: no mail service hands them out, and they can hide a second address.
const syntax = /^([^\s@<>()[\]\\,;:"\p{Cf}]{1,64})@([^\s@/?#%:[\]]{1,253})$/u

/** An address in the one way in which it is stored; undefined if it is none. Its case stays as it was typed. */
export function normaliseEmail(text: string): string | undefined {
  const [, local, domain] = syntax.exec(lineOf(text, longest) ?? '') ?? []
  if (local === undefined || domain === undefined || /^\.|\.$|\.\./.test(local)) return undefined
  const ascii = domainToASCII(domain) // empty for what cannot be a name
  const isName = /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/.test(ascii) && !/(^|\.)\d+$/.test(ascii)
  return isName ? `${local}@${domainToUnicode(ascii)}` : undefined
}
