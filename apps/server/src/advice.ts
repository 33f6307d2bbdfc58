import { isOutage } from '@icosa/kernel'
import { UsageError } from './command.ts'
import { ConfigError } from './config.ts'

interface Coded extends Error {
  readonly code?: string
  readonly port?: number
}

const byCode: Readonly<Record<string, (error: Coded) => string>> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken: end what listens there, or choose another with --port.`,
  EACCES: ({ message }) => `${message}: choose a port above 1023 with --port, or a folder of yours with --data.`,
  ECONNREFUSED: () => 'Nobody answers at DATABASE_URL: start PostgreSQL there, or unset it to use one of our own.',
  ENOTFOUND: ({ message }) => `The host in DATABASE_URL is not known (${message}): check its spelling.`,
  '28P01': ({ message }) => `PostgreSQL refuses the password in DATABASE_URL (${message}).`,
  '28000': ({ message }) => `PostgreSQL refuses the role in DATABASE_URL (${message}).`,
  '3D000': ({ message }) => `PostgreSQL has no such database (${message}): create it, or correct DATABASE_URL.`,
  '42501': ({ message }) => `The role in DATABASE_URL may not do this (${message}): let it own its database.`,
  '42P01': () => 'The database is not prepared: run `icosa migrate`.',
}

/** What a person at a shell can do about an error; undefined if only we can do something, with a stack. */
export function advice(error: Error): string | undefined {
  if (isOutage(error) && !(error as Coded).code) return byCode.ECONNREFUSED?.(error)
  if (error instanceof UsageError || error instanceof ConfigError || error.name === 'Failure') return error.message
  if (/pg-boss is not installed/.test(error.message)) return byCode['42P01']?.(error)
  return byCode[(error as Coded).code ?? '']?.(error)
}
