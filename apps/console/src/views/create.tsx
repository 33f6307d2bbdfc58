import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { operationOf, type ServiceCatalogue, type View } from '../data/catalogue.ts'
import { Call } from '../parts/call.tsx'
import { Sheet } from '../parts/dialog.tsx'
import { Copyable } from '../parts/snippets.tsx'
import { paramsOf } from './list.ts'

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
  const [secret, setSecret] = useState<unknown>()
  const found = operationOf(service, view.create)
  if (!found) return null
  const known = paramsOf(found.operation.path).filter((name) => scope[name])
  const params = Object.fromEntries(known.map((name) => [name, scope[name] ?? '']))
  if (secret !== undefined)
    return (
      <Sheet title="Save this now: it is shown only once" onClose={close}>
        <Copyable text={JSON.stringify(secret, null, 2)} label="Reply" />
      </Sheet>
    )
  return (
    <Sheet title={found.operation.summary} about={view.about} onClose={close}>
      <Call
        {...{ found, service: service.name, params, suggested: service.scope, body: view.example, submit: 'Create' }}
        onDone={({ body }) => (hasSecret(body) ? setSecret(body) : close())}
      />
    </Sheet>
  )
}
