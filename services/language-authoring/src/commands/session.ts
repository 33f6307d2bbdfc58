import { type Arguments, remark, type ServiceArguments, text, UsageError } from '@icosa/module'
import { keyHeaders, serviceName } from '../names.ts'
import { unknownMembers } from '../shapes/replies.ts'

export type CommandArguments = Arguments & ServiceArguments

/** Sends requests to a running platform, by default on this machine. */
export function openSession({ flags, facts }: CommandArguments) {
  const url = (text(flags, 'url') ?? facts.baseUrl).replace(/\/$/, '')
  const key = text(flags, 'key') ?? 'icosa-dev-key'

  async function ask(method: string, path: string, body?: string | Uint8Array): Promise<unknown> {
    const response = await fetch(`${url}/${serviceName}${path}`, {
      method,
      headers: { [keyHeaders[0]]: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: body as string }),
    }).catch((error: Error) => {
      throw new UsageError(`${url} does not answer: ${String(error.cause ?? error.message)}. Is \`icosa dev\` running?`)
    })
    const reply = (await response.json()) as { error?: { message: string } }
    if (!response.ok)
      throw new UsageError(reply.error?.message ?? `${method} ${path} failed with status ${response.status}.`)
    const unknown = response.headers.get(unknownMembers)
    if (unknown !== null) remark(`Unknown members of the file have no effect: ${unknown}`)
    return reply
  }
  return { ask }
}

export type Session = ReturnType<typeof openSession>
