import { found, missing, type Need } from '@icosa/module'
import type { Values } from './settings.ts'

const machines: Need<Values> = {
  name: 'programs of machines',
  purpose: 'PostgreSQL and pg_auto_failover for machines and groups, on nodes with ICOSA_MACHINES',
  isOptional: true,
  remedy: {
    debian: 'sudo apt install postgresql-15 pg-auto-failover-cli postgresql-15-auto-failover openssl',
    macos: 'not available: use a virtual machine with Linux',
    other: 'PostgreSQL 15, pg_auto_failover 2 for it, and OpenSSL; set ICOSA_MACHINES_BINARIES',
  },
  async check({ offersRoom, binaries, account }) {
    if (!offersRoom) return found('not needed: ICOSA_MACHINES is false')
    const { findPrograms, noKeeper } = await import('./hosting/programs.ts')
    try {
      const programs = await findPrograms({ binaries, account })
      const user = programs.account ? ` user ${programs.account.name}` : ''
      return programs.keeper === undefined
        ? missing(noKeeper)
        : found(`${programs.binaries} and ${programs.keeper}${user}`)
    } catch (error) {
      return missing((error as Error).message)
    }
  },
}

export const needs: readonly Need<Values>[] = [machines]
