import { type Arguments, remark, type ServiceArguments, text, UsageError } from '@icosa/module'
import { keyHeaders, serviceName } from '../names.ts'
import { unknownMembers } from '../shapes/replies.ts'

export type Given = Arguments & ServiceArguments

/** Asks a platform that runs: the one of this machine, unless told otherwise. */
export function openSession({ flags, facts }: Given) {
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
    const answer = (await response.json()) as { error?: { message: string } }
    if (!response.ok)
      throw new UsageError(answer.error?.message ?? `${method} ${path} was answered with ${response.status}.`)
    const unknown = response.headers.get(unknownMembers)
    if (unknown !== null) remark(`These members of the file are unknown, and have no effect: ${unknown}`)
    return answer
  }
  return { ask }
}

export type Session = ReturnType<typeof openSession>
