import { isOutage, MigrationBlocked } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import { SettingsError } from '@icosa/settings'

interface Coded extends Error {
  readonly code?: string
  readonly port?: number
}

const byCode: Readonly<Record<string, (error: Coded) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use: stop what is listening there, or choose another with --port.`,
  EACCES: ({ message }) => `${message}: choose a port above 1023 with --port, or a folder you own with --data.`,
  ECONNREFUSED: () => 'Nothing answers at DATABASE_URL: start PostgreSQL there, or unset it to use the built-in one.',
  ENOTFOUND: ({ message }) => `The host in DATABASE_URL cannot be found (${message}): check its spelling.`,
  '28P01': ({ message }) => `PostgreSQL refuses the password in DATABASE_URL (${message}).`,
  '28000': ({ message }) => `PostgreSQL refuses the role in DATABASE_URL (${message}).`,
  '3D000': ({ message }) => `PostgreSQL has no such database (${message}): create it, or correct DATABASE_URL.`,
  '42501': ({ message }) => `The role in DATABASE_URL may not do this (${message}): make it the owner of its database.`,
  '42P01': () => 'The database is not prepared: run `icosa migrate`.',
}

/** What a person at a shell can do about an error; undefined if only we can do something, with a stack. */
export function advice(error: Error): string | undefined {
  if (error instanceof MigrationBlocked) return error.message
  if (isOutage(error) && !(error as Coded).code) return byCode.ECONNREFUSED?.(error)
  if (error instanceof UsageError || error instanceof SettingsError || error.name === 'Failure') return error.message
  if (/pg-boss is not installed/.test(error.message)) return byCode['42P01']?.(error)
  return byCode[(error as Coded).code ?? '']?.(error)
}
