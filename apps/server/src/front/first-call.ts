import type { Authentication } from '@icosa/kernel'
import { credentialsOf } from '../credentials.ts'
import type { ApiDocument } from './documents.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: { readonly default?: unknown; readonly enum?: readonly unknown[]; readonly const?: unknown }
}

interface Reading {
  readonly path: string
  readonly parameters: readonly Parameter[]
}

/** The value, if the schema determines it. */
const knownValue = ({ schema }: Parameter) => schema.default ?? schema.const ?? schema.enum?.[0]

/** The GET operation with the fewest parameters to fill in. */
function simplest({ document }: ApiDocument): Reading | undefined {
  const readings = Object.entries(document.paths).flatMap(([path, operations]) => {
    const get = (operations as { readonly get?: { readonly parameters: readonly Parameter[] } }).get
    return get ? [{ path, parameters: get.parameters.filter(({ required }) => required) }] : []
  })
  const asks = ({ parameters }: Reading) => parameters.filter((parameter) => knownValue(parameter) === undefined).length
  return readings.toSorted((a, b) => asks(a) - asks(b) || a.path.length - b.path.length)[0]
}

/** A curl command that reads from an API, to copy. Values to fill in are in capitals. */
export function firstCall(api: ApiDocument, url: string, key: string): string | undefined {
  const credential = credentialFlags(api.api.dialect.authentication, key)
  const reading = simplest(api)
  if (!reading) return undefined
  const filled = (text: string) => text.replace(/\{([^}]+)\}/g, (_, name: string) => spelled(name, reading))
  const query = reading.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(
      (parameter) =>
        `${parameter.name}=${encodeURIComponent(String(knownValue(parameter) ?? capitals(parameter.name)))}`,
    )
  return `curl -s ${credential}'${url}/${api.service.name}${filled(reading.path)}${query.length > 0 ? `?${query.join('&')}` : ''}'`
}

function spelled(name: string, { parameters }: Reading): string {
  const pathParameter = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)
  return String((pathParameter && knownValue(pathParameter)) ?? capitals(name))
}

const capitals = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()

/** Flags of curl for a credential. */
export function credentialFlags(authentication: Authentication, key: string): string {
  const { header, key: value, accessKeyId, secretAccessKey, region } = credentialsOf(authentication, key)
  if (authentication.kind === 'signature')
    return `--aws-sigv4 aws:amz:${region}:${authentication.service} --user ${accessKeyId}:${secretAccessKey} `
  return header ? `-H '${header}: ${value}' ` : ''
}
