import type { Operation } from '@icosa/contract'
import type { Detail } from '../../errors.ts'
import { closed } from '../input/fields.ts'
import { lazyValidator } from '../input/validate.ts'

/** Returns the contract violations of a success reply: its status, body, unknown fields or headers. */
export function replyChecker({
  replies,
  replyHeaders,
}: Operation): (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => readonly Detail[] {
  const checkHeaders = replyHeaders && lazyValidator(closed(replyHeaders), 'reply')
  const checks = new Map(
    Object.entries(replies).map(([status, schema]) => [
      Number(status),
      schema && lazyValidator(closed(schema), 'reply'),
    ]),
  )
  return (status, body, headers) => {
    const details = headers && checkHeaders?.(headers)
    if (details && details.length > 0) return details.map(({ at, message }) => ({ at: `headers of ${at}`, message }))
    const check = checks.get(status)
    if (check === undefined) return [{ at: 'reply/status', message: `${status} is not in the contract` }]
    if (check === null) return body === undefined ? [] : [{ at: 'reply', message: 'must have no body' }]
    return check(JSON.parse(JSON.stringify(body ?? null)))
  }
}
