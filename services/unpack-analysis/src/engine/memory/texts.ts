import { limits } from '../limits.ts'
import type { AddressSpace } from './address-space.ts'

const printable = /^[\x20-\x7e\t\r\n]+$/

export function textAt(space: AddressSpace, address: number, longest = 1024): string {
  const bytes = space.readUpTo(address, longest)
  const end = bytes.indexOf(0)
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
}

export function wideTextAt(space: AddressSpace, address: number): string {
  const bytes = space.readUpTo(address, 2048)
  const text = bytes.toString('utf16le', 0, bytes.length - (bytes.length % 2))
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}

/** The text as people read it, if it is one. */
export const quoted = (text: string, shortest: number) =>
  text.length >= shortest && printable.test(text) ? JSON.stringify(text.slice(0, limits.textLength)) : undefined
