import type { Facts } from './module.ts'

/** What to type to get it, by the kind of machine. */
export interface Install {
  readonly debian: string
  readonly macos: string
  /** Without it, as on Debian, in the Windows Subsystem for Linux. */
  readonly windows?: string
  /** In words. */
  readonly other: string
}

export interface Finding {
  readonly isThere: boolean
  /** Where, and which version; or what is wrong. */
  readonly detail: string
}

export const found = (detail: string): Finding => ({ isThere: true, detail })
export const missing = (detail: string): Finding => ({ isThere: false, detail })

/** A part of the machine, or of what surrounds it, that a service works with. */
export interface Need<S = unknown> {
  readonly name: string
  /** What it does for the service: "speaks the messages". */
  readonly purpose: string
  /** Whether the service works without it, if with less. */
  readonly isOptional?: boolean
  /** How to get it: what to install, or in words what to set. */
  readonly remedy: Install | string
  check(settings: S, facts: Facts): Promise<Finding>
}
