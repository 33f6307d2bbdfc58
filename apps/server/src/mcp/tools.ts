import { setTimeout as sleep } from 'node:timers/promises'
import { type Operation, paramNames, referredSchemas, type Schema } from '@icosa/contract'
import { UsageError } from '@icosa/module'
import * as platform from '@icosa/platform/contract'
import { isOf, readLogLine } from '../dev/log-line.ts'
import { ask, type Call, callOperation, catalogueOf, operationIn } from './calls.ts'
import type { Tool } from './protocol.ts'
import type { Target } from './target.ts'

export const instructions = `Icosa is a development platform of HTTP services, with their own database, on this machine. Find a service with
listServices, its operations with listOperations, and the parameters and body of one with describeOperation; then use callOperation. Credentials are
added. settleJobs waits for background work, moveClock makes timers due, watchRequests, getHistory and readLogs show what happened.`

const text = { type: 'string' }
const service = { type: 'string', description: 'Name of a service, such as `backup`.' }
const tenant = { type: 'string', description: 'Tenant that calls; created if new. `dev` by default.' }

export const toolsOf = (target: Target): readonly Tool[] => [...generalTools(target), ...controlTools(target)]

function generalTools(target: Target): Tool[] {
  return [
    {
      name: 'listServices',
      description: 'List the services of this instance.',
      inputSchema: { type: 'object', properties: {} },
      async call() {
        const dev = await target.tenant()
        const { services } = await ask<{ services: { name: string; title: string; operations: number }[] }>(
          dev,
          '/catalogue',
        )
        const own = dev.services.filter(({ api }) => api === undefined)
        const urls = new Map(own.map(({ name, url }) => [name as string, url]))
        return services.map(({ name, title, operations }) => ({ name, title, operations, url: urls.get(name) }))
      },
    },
    {
      name: 'listOperations',
      description: 'List the operations of a service, with method, path and summary.',
      inputSchema: {
        type: 'object',
        properties: { service, search: { type: 'string', description: 'Only those with this text.' } },
        required: ['service'],
      },
      async call(input) {
        const { apis } = await catalogueOf(await target.tenant(), textOf(input.service))
        const lines = apis.flatMap(({ operations }) =>
          operations.map(({ id, method, path, summary }) => `${id}: ${method} ${path}: ${summary}`),
        )
        const search = textOf(input.search ?? '').toLowerCase()
        return lines.filter((line) => line.toLowerCase().includes(search)).join('\n') || 'There are none.'
      },
    },
    {
      name: 'describeOperation',
      description:
        'Describe an operation: its parameters and the JSON Schema of its body, with the schemas it refers to.',
      inputSchema: { type: 'object', properties: { service, operation: text }, required: ['service', 'operation'] },
      async call(input) {
        const catalogue = await catalogueOf(await target.tenant(), textOf(input.service))
        const { api, operation } = operationIn(catalogue, textOf(input.operation))
        return { ...operation, schemas: referredSchemas(operation, api.schemas) }
      },
    },
    {
      name: 'callOperation',
      description:
        'Call any operation of a service by its name, to create, read, change or delete. Returns status, id and body of the response.',
      inputSchema: {
        type: 'object',
        properties: {
          ...{ service, operation: text },
          parameters: { type: 'object', description: 'Of path, query and headers, by name.' },
          body: { description: 'JSON, or a text.' },
          files: {
            ...{ type: 'object', additionalProperties: text },
            description: 'Instead of a body: text files by path, sent as a zip.',
          },
          tenant,
        },
        required: ['service', 'operation'],
      },
      async call({ tenant: name, ...call }, signal) {
        return callOperation(await target.tenant(optional(name)), call as unknown as Call, signal)
      },
    },
    {
      name: 'readLogs',
      description: 'Read the last lines of the log of this instance: requests, jobs, warnings and errors.',
      inputSchema: {
        type: 'object',
        properties: { service, limit: { type: 'integer', minimum: 1, description: '50 by default.' } },
      },
      async call(input) {
        const name = optional(input.service)
        const isChosen = (line: string) => {
          const read = readLogLine(line)
          return name === undefined || (read !== undefined && isOf(read, name))
        }
        const lines = (await target.logLines()).filter(isChosen).slice(-Number(input.limit ?? 50))
        return lines.join('\n') || 'There are none.'
      },
    },
  ]
}

/** Operations of the platform that are tools of their own. */
const { getClock, moveClock } = platform.clock
const controls: Readonly<Record<string, Operation>> = {
  ...{ getClock, moveClock, ...platform.faults, ...platform.snapshots, ...platform.state },
  ...{ ...platform.requests, ...platform.history, ...platform.jobs, ...platform.registry, ...platform.status },
}

const controlTools = (target: Target): Tool[] =>
  Object.entries(controls).map(([name, operation]) => {
    const { path, params = {}, query, body } = operation
    const places = [query, body].map((schema) => (schema ?? {}) as unknown as ObjectKeywords)
    const inPath = Object.fromEntries(paramNames(path).map((param) => [param, params[param] ?? text]))
    const inBody = Object.keys(places[1]?.properties ?? {})
    return {
      name,
      description: operation.summary,
      inputSchema: {
        type: 'object',
        properties: Object.assign({}, inPath, ...places.map(({ properties }) => properties)),
        required: [...Object.keys(inPath), ...places.flatMap(({ required = [] }) => required)],
      },
      async call(input, signal) {
        const pick = (isBody: boolean) =>
          Object.fromEntries(Object.entries(input).filter(([key]) => inBody.includes(key) === isBody))
        const call = {
          service: 'platform',
          operation: name,
          parameters: pick(false),
          ...(body && { body: pick(true) }),
        }
        const answer = await callOperation(await target.tenant(), call, signal)
        if (answer.status >= 400) throw new UsageError(JSON.stringify(answer.body))
        return answer.status === 202 ? ended(target, signal) : (answer.body ?? 'Done.')
      },
    }
  })

interface ObjectKeywords {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Waits for the end of a snapshot action, during which the node is stopped. */
async function ended(target: Target, signal: AbortSignal): Promise<unknown> {
  for (;;) {
    await sleep(100, undefined, { signal })
    const list = await target
      .tenant()
      .then((dev) => ask<{ action?: { state: string; message?: string } }>(dev, '/snapshots'))
      .catch(() => undefined)
    if (list?.action?.state === 'failed') throw new UsageError(list.action.message ?? 'It failed.')
    if (list?.action?.state === 'succeeded') return list
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  throw new UsageError(`${JSON.stringify(value)} is no text.`)
}

const optional = (value: unknown) => (value === undefined ? undefined : textOf(value))
