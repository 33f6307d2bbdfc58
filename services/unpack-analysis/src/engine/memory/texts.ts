import { limits } from '../limits.ts'
import type { AddressSpace } from './address-space.ts'

const printable = /^[\x20-\x7e\t\r\n]+$/

export function textAt(space: AddressSpace, address: number, maxLength = 1024): string {
  const bytes = space.readUpTo(address, maxLength)
  const end = bytes.indexOf(0)
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
}

export function wideTextAt(space: AddressSpace, address: number): string {
  const bytes = space.readUpTo(address, 2048)
  const text = bytes.toString('utf16le', 0, bytes.length - (bytes.length % 2))
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

/** Quotes a text if it is printable. */
export const quoted = (text: string, minLength: number) =>
  text.length >= minLength && printable.test(text) ? JSON.stringify(text.slice(0, limits.textLength)) : undefined
