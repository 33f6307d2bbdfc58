import type { Operation } from '@icosa/contract'
import type { Detail } from '../../errors.ts'
import { closed } from '../input/fields.ts'
import { lazyValidator } from '../input/validate.ts'

/** What is wrong with a success reply: its status, its body, or a field or header that the contract does not have. */
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
    const wrong = headers && checkHeaders?.(headers)
    if (wrong && wrong.length > 0) return wrong.map(({ at, message }) => ({ at: `headers of ${at}`, message }))
    const check = checks.get(status)
    if (check === undefined) return [{ at: 'reply/status', message: `${status} is not in the contract` }]
    if (check === null) return body === undefined ? [] : [{ at: 'reply', message: 'must have no body' }]
    return check(JSON.parse(JSON.stringify(body ?? null)))
  }
}
