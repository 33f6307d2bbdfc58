import { domainToASCII, domainToUnicode } from 'node:url'
import { lineOf } from './text.ts'

const maxLength = 254
// No quoted local parts: mail services do not issue them, and they can hide a second address.
const syntax = /^([^\s@<>()[\]\\,;:"\p{Cf}]{1,64})@([^\s@/?#%:[\]]{1,253})$/u

/** Returns the stored form of an address, in its original case; undefined if it is invalid. */
export function normalizeEmail(text: string): string | undefined {
  const [, local, domain] = syntax.exec(lineOf(text, maxLength) ?? '') ?? []
  if (local === undefined || domain === undefined || /^\.|\.$|\.\./.test(local)) return undefined
  const ascii = domainToASCII(domain) // empty for invalid names
  const isName = /^[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/.test(ascii) && !/(^|\.)\d+$/.test(ascii)
  return isName ? `${local}@${domainToUnicode(ascii)}` : undefined
}
