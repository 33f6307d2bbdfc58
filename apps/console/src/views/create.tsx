import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { operationOf, type ServiceCatalogue, type View } from '../data/catalogue.ts'
import type { Answer } from '../data/request.ts'
import { itemsIn, keyOf } from '../data/values.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { Copyable } from '../parts/snippets.tsx'
import { listKey, paramsOf } from './list.ts'

interface CreateProps {
  readonly service: ServiceCatalogue
  readonly view: View
  readonly scope: Readonly<Record<string, string>>
}

/** Whether a reply contains a secret, which cannot be read again. */
const hasSecret = (body: unknown) => /"[^"]*(secret|password|api_?key)[^"]*":\s*"[^"]/i.test(JSON.stringify(body) ?? '')

/** The form for a new resource, filled in with the example. */
export function Create({ service, view, scope }: CreateProps) {
  const navigate = useNavigate({ from: '/$service/$view' })
  const close = () => void navigate({ search: ({ act: _, ...old }) => old, replace: true })
  const queries = useQueryClient()
  const listed = () => {
    const lists = queries.getQueriesData<InfiniteData<Answer>>({ queryKey: listKey(service, view, scope) })
    return lists.flatMap(([, list]) => list?.pages.flatMap(({ body }) => itemsIn(body, view)) ?? [])
  }
  const [before] = useState(() => new Set(listed().map((item) => JSON.stringify(keyOf(view, item)))))
  /** Shows the resource, if it is the only new row. */
  const open = () => {
    const added = listed()
      .map((item) => keyOf(view, item))
      .filter((key) => !before.has(JSON.stringify(key)))
    const [item, ...others] = added
    if (!item || others.length > 0) return close()
    void navigate({ search: ({ act: _, ...old }) => ({ ...old, item }), replace: true })
  }
  const [secret, setSecret] = useState<unknown>()
  const found = operationOf(service, view.create)
  if (!found) return null
  const known = paramsOf(found.operation.path).filter((name) => scope[name])
  const params = Object.fromEntries(known.map((name) => [name, scope[name] ?? '']))
  if (secret !== undefined)
    return (
      <Sheet title="Save this now: it is shown only once" onClose={open}>
        <Copyable text={JSON.stringify(secret, null, 2)} label="Reply" />
      </Sheet>
    )
  return (
    <Sheet title={found.operation.summary} about={view.about} onClose={close}>
      <Call
        {...{ found, service: service.name, params, suggested: service.scope, body: view.example, submit: 'Create' }}
        onDone={({ body }) => (hasSecret(body) ? setSecret(body) : open())}
      />
    </Sheet>
  )
}
