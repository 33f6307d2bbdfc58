import { keyedServer } from '@icosa/dialects/keyed/server'
import { type DialectServer, type Incoming, Media } from '@icosa/kernel'
import { keyHeaders, originalFields, serviceName } from './names.ts'
import { QuotaExceeded } from './usage/usage.ts'

const [neutralHeader, originalHeader] = keyHeaders.map((header) => header.toLowerCase()) as [string, string]

/** The keyed dialect in both spellings: fields by the caller's header, paths with or without the version. */
export function directoryDialect(): DialectServer {
  const dialect = keyedServer({ name: serviceName, headers: keyHeaders, respell })
  return {
    ...dialect,
    spellings: { '/': ['/api/v2/'] },
    failure(error, incoming) {
      const outgoing = dialect.failure(error, incoming)
      return error instanceof QuotaExceeded
        ? { ...outgoing, headers: { ...outgoing.headers, ...error.headers } }
        : outgoing
    },
  }
}

/** Callers that send the original header get the original field names. */
function respell(body: unknown, { headers }: Incoming): unknown {
  return headers[neutralHeader] === undefined && headers[originalHeader] !== undefined ? inOriginal(body) : body
}

const originals: Readonly<Record<string, string>> = originalFields

function inOriginal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOriginal)
  if (typeof value !== 'object' || value === null || value instanceof Media) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [originals[name] ?? name, inOriginal(field)]))
}
