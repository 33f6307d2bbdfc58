import type { Facts } from './module.ts'

/** Installation command by platform. */
export interface Install {
  readonly debian: string
  readonly macos: string
  /** Defaults to Debian's, in the Windows Subsystem for Linux. */
  readonly windows?: string
  readonly other: string
}

export interface Finding {
  readonly isThere: boolean
  /** Location and version; or the problem. */
  readonly detail: string
}

export const found = (detail: string): Finding => ({ isThere: true, detail })
export const missing = (detail: string): Finding => ({ isThere: false, detail })

/** Prerequisite of a service on the machine or in its surroundings. */
export interface Need<S = unknown> {
  readonly name: string
  /** Its use for the service: "speaks the messages". */
  readonly purpose: string
  /** Whether the service works without it, with reduced functionality. */
  readonly isOptional?: boolean
  /** Installation commands, or advice on what to set. */
  readonly remedy: Install | string
  check(settings: S, facts: Facts): Promise<Finding>
}
