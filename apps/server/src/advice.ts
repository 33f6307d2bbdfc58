import { DirectConnectionNeeded, isOutage, MigrationBlocked } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import { SettingsError } from '@icosa/settings'

interface Coded extends Error {
  readonly code?: string
  readonly port?: number
  readonly syscall?: string
}

const byCode: Readonly<Record<string, (error: Coded) => string>> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use: stop the process that listens there, or choose another with --port or ICOSA_METRICS_PORT.`,
  EACCES: ({ message, syscall }) =>
    syscall === 'listen'
      ? `${message}: choose a port above 1023 with --port.`
      : `${message}: start as the user who owns that folder, or name one of your own with --data.`,
  ECONNREFUSED: () =>
    'No server is listening at DATABASE_URL: start PostgreSQL there, or unset it to use the built-in one.',
  ENOTFOUND: ({ message }) => `The host in DATABASE_URL cannot be found (${message}): check its spelling.`,
  EAI_AGAIN: ({ message }) =>
    `The host in DATABASE_URL cannot be looked up (${message}): check its spelling and the DNS.`,
  ETIMEDOUT: () => 'PostgreSQL does not respond at DATABASE_URL: check the address, and the firewall in between.',
  '28P01': ({ message }) => `PostgreSQL refuses the password in DATABASE_URL (${message}).`,
  '28000': ({ message }) =>
    `PostgreSQL refuses the role in DATABASE_URL (${message}): check its name, and that pg_hba.conf admits this node.`,
  '3D000': ({ message }) => `PostgreSQL has no such database (${message}): create it, or correct DATABASE_URL.`,
  '53300': ({ message }) =>
    `PostgreSQL has no connection left for this node (${message}): raise max_connections or the role's limit, lower ICOSA_DB_CONNECTIONS, or put PgBouncer in front (docs/operate/database.md, "Connections").`,
  '57P03': ({ message }) =>
    `PostgreSQL does not accept connections yet (${message}): start the node again in a moment.`,
  '42501': ({ message }) => `The role in DATABASE_URL may not do this (${message}): make it the owner of its database.`,
  IC002: ({ message }) => message,
  '42P01': () => 'The database is not prepared: run `icosa migrate`.',
}

/** For errors of the driver or a pooler without a distinctive code. */
const byMessage: readonly (readonly [RegExp, (message: string) => string])[] = [
  [
    /no more connections allowed/,
    (message) =>
      `The pooler has no connection left for this node (${message}): raise its max_client_conn, or lower ICOSA_DB_CONNECTIONS.`,
  ],
  [
    /does not support SSL/,
    () => 'DATABASE_URL requires TLS, which PostgreSQL does not offer: switch `ssl` on there, or leave `sslmode` out.',
  ],
  [
    /certificate|self.signed|altnames/i,
    (message) =>
      `The certificate of PostgreSQL is not trusted (${message}): add \`sslrootcert=FILE\` to DATABASE_URL, or correct the host in it.`,
  ],
  [/^timeout expired|Query read timeout/, () => byCode.ETIMEDOUT?.(new Error()) ?? ''],
]

/** Returns advice for the operator; undefined for a bug, which is reported with its stack. */
export function advice(error: Error): string | undefined {
  if (error instanceof MigrationBlocked) return error.message
  if (error instanceof DirectConnectionNeeded)
    return `${error.message} DATABASE_URL points to one: set ICOSA_DATABASE_DIRECT_URL to the address of PostgreSQL itself.`
  if (isOutage(error)) return ofOutage(error)
  if (error instanceof UsageError || error instanceof SettingsError || error.name === 'Failure') return error.message
  return byCode[(error as Coded).code ?? '']?.(error) ?? byTheMessage(error)
}

const byTheMessage = ({ message }: Error) => byMessage.find(([pattern]) => pattern.test(message))?.[1](message)

/** The cause may be that of an earlier attempt: while the circuit breaker is open, none is made. */
function ofOutage(error: Error): string | undefined {
  if (!(error as Coded).code && error.cause instanceof Error) return advice(error.cause)
  return byTheMessage(error) ?? (byCode[(error as Coded).code ?? ''] ?? byCode.ECONNREFUSED)?.(error)
}
