import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { suggestion } from '@icosa/module'

/** A tool of the Model Context Protocol. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: InputSchema
  /** Returns a text, or a value that becomes JSON. What it throws is shown to the model. */
  call(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
}

interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

interface Served {
  readonly input: Readable
  readonly output: Writable
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly tools: readonly Tool[]
}

interface Message {
  readonly id?: string | number | null
  readonly method?: unknown
  readonly params?: Readonly<Record<string, unknown>>
}

/** Latest first. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
const [unparsable, invalidRequest, unknownMethod, invalidParams] = [-32_700, -32_600, -32_601, -32_602]

/** Serves the stdio transport: one JSON-RPC message a line, until the input ends. */
export async function serveStdio({ input, output, name, version, instructions, tools }: Served): Promise<void> {
  const running = new Map<Message['id'], { readonly ended: Promise<void>; abort(): void }>()

  async function result({ method, params = {} }: Message, signal: AbortSignal): Promise<unknown> {
    switch (method) {
      case 'initialize': {
        const protocolVersion = versions.find((one) => one === params.protocolVersion) ?? versions[0]
        return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version }, instructions }
      }
      case 'ping':
        return {}
      case 'tools/list':
        return { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) }
      case 'tools/call':
        return callTool(tools, params, signal)
      default:
        throw new RpcError(unknownMethod, `There is no method '${method}'.`)
    }
  }

  const send = (message: object) => void output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

  async function answer(message: Message, signal: AbortSignal): Promise<void> {
    const { id } = message
    try {
      const value = await result(message, signal)
      if (!signal.aborted) send({ id, result: value }) // a cancelled request gets no response
    } catch (error) {
      const { code = -32_603, message } = error as RpcError
      send({ id, error: { code, message } })
    }
  }

  function receive(line: string): void {
    const message = parsed(line)
    if (message instanceof RpcError) send({ id: null, error: { code: message.code, message: message.message } })
    else take(message)
  }

  function take(message: Message): void {
    const { id, method, params } = message
    if (method === 'notifications/cancelled') running.get(params?.requestId as Message['id'])?.abort()
    if (id === undefined || id === null || method === undefined) return // a notification, or a response
    const controller = new AbortController()
    const ended = answer(message, controller.signal).finally(() => running.delete(id))
    running.set(id, { ended, abort: () => controller.abort() })
  }

  for await (const line of createInterface({ input })) if (line.trim() !== '') receive(line)
  await Promise.all([...running.values()].map(({ ended }) => ended))
}

function parsed(line: string): Message | RpcError {
  try {
    const message: unknown = JSON.parse(line)
    const isObject = typeof message === 'object' && message !== null && !Array.isArray(message)
    return isObject ? message : new RpcError(invalidRequest, 'A message is one object: batches are not supported.')
  } catch {
    return new RpcError(unparsable, 'A message is one line of JSON.')
  }
}

async function callTool(tools: readonly Tool[], params: NonNullable<Message['params']>, signal: AbortSignal) {
  const { name, arguments: input = {} } = params
  const tool = tools.find((one) => one.name === name)
  const names = tools.map((one) => one.name)
  if (!tool) throw new RpcError(invalidParams, `There is no tool '${name}'.${suggestion(String(name), names)}`)
  try {
    const checked = checkInput(tool.inputSchema, input)
    const value = await tool.call(checked, signal)
    return { content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value, null, 1) }] }
  } catch (error) {
    return { content: [{ type: 'text', text: (error as Error).message }], isError: true }
  }
}

/** Refuses missing and unknown arguments by name; their values are checked by the operations that get them. */
function checkInput({ properties, required = [] }: InputSchema, input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Error('Arguments are an object.')
  const names = Object.keys(properties)
  for (const name of Object.keys(input))
    if (!names.includes(name))
      throw new Error(`There is no argument '${name}'.${suggestion(name, names)} There are: ${names.join(', ')}.`)
  for (const name of required) if (!(name in input)) throw new Error(`The argument '${name}' is missing.`)
  return input as Readonly<Record<string, unknown>>
}
