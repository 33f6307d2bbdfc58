import { isUtf8 } from 'node:buffer'
import { Failure, implement, invalid, notFound, ok, type Resource, withPreparation } from '@icosa/kernel'
import { nameOf } from '../functions/view.ts'
import { newInvocationId } from '../invocations/id.ts'
import { toRevision } from '../invocations/revision.ts'
import { findByPlace } from '../invocations/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { calls as contract } from './contract.ts'

const maxBytes = 2 ** 20
const maxHeaders = 100

/** Headers of the connection, which are not the caller's to set. */
const reserved = /^(host|connection|content-length|transfer-encoding|keep-alive|upgrade|expect|te|trailer|proxy-.*)$/i

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  const at = 'body/headers'
  if (Object.keys(headers).length > maxHeaders) invalid([{ at, message: `must have at most ${maxHeaders} members` }])
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) || !/^[\t -~]*$/.test(value))
      invalid([{ at: `${at}/${name}`, message: 'must be a header, in ASCII' }])
    if (reserved.test(name))
      invalid([{ at: `${at}/${name}`, message: 'must be left out: it is set by the connection' }])
  }
}

/** The content as text; a character that the limit has cut is left out. */
function textOf(content: Buffer, isTruncated: boolean): string | undefined {
  for (const cut of isTruncated ? [0, 1, 2, 3] : [0]) {
    const part = content.subarray(0, content.length - cut)
    if (isUtf8(part)) return part.toString('utf8')
  }
  return undefined
}

export const calls: Resource<ServiceRuntime> = implement<typeof contract, ServiceRuntime>(contract, {
  callFunction: withPreparation(
    async (
      { params, body: { method, path, headers = {}, body = '' } },
      { db, caller: { tenant }, cellVault, runtime },
    ) => {
      const target = await findByPlace(db, tenant, params)
      if (!target || target.state === 'DELETING') notFound('function', nameOf(params))
      checkHeaders(headers)
      if (!target.revision)
        throw new Failure('unavailable', 'No revision of this function is ready yet: see its stateMessages.')
      const revision = await toRevision({ db, cellVault, keys: runtime.keys }, tenant, target.revision)
      runtime.countCall(tenant)
      const executionId = newInvocationId()
      const instances = await runtime.instances()
      const began = performance.now()
      const request = { method, path, headers, body: Buffer.from(body) }
      const response = await instances.callOnce(revision, request, executionId, maxBytes)
      const durationMs = performance.now() - began
      const { status, content, isTruncated } = response
      runtime.logs.addInvocation({ revision, id: executionId, status, durationMs, method, path })
      const text = textOf(content, isTruncated)
      return {
        ...{ status, isTruncated, executionId, durationMs, isBase64: text === undefined },
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        body: text ?? content.toString('base64'),
      }
    },
    async (_, __, response) => ok(response),
  ),
})
